/** Attributes of an element; numbers are in pixels unless the attribute has none. */
export type Attributes = Readonly<Record<string, string | number>>;

/** An SVG element around others. Throws `RangeError` for a number that is none. */
export function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(written(key, value))}"`);
  const start = `<${name}${pairs.join('')}`;
  return children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${name}>`;
}

/** Words at a place; `anchor` says which end of them is there. */
export function label(
  words: string,
  { anchor = 'start', ...attributes }: Attributes & { readonly anchor?: string },
): string {
  return element('text', { 'text-anchor': anchor, ...attributes }, [escaped(words)]);
}

export interface Drawing {
  readonly title: string;
  /** At least: a long title makes it wider. */
  readonly width: number;
  readonly height: number;
  /** A line each. */
  readonly elements: readonly string[];
}

/** A whole image: on white, so that it is legible in a dark page too, in the font of the system. */
export function drawing({ title, height, elements, ...drawn }: Drawing): string {
  const width = Math.max(drawn.width, 2 * MARGIN + title.length * TITLE_LETTER);
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    'font-family': 'system-ui, sans-serif',
    'font-size': 12,
    fill: INK,
  };
  const lines = [
    element('title', {}, [escaped(title)]),
    element('rect', { width, height, fill: '#ffffff' }),
    label(title, { x: MARGIN, y: 26, 'font-size': TITLE_SIZE, 'font-weight': 600 }),
    ...elements,
  ];
  return `${element('svg', attributes, [`\n${lines.join('\n')}\n`])}\n`;
}

const MARGIN = 16;
const TITLE_SIZE = 15;
/** Width of a letter of the title, on the safe side: how wide the system's font is, is not known here. */
const TITLE_LETTER = 9;

export const INK = '#1f2328';
export const FAINT = '#d0d7de';

function written(key: string, value: string | number): string {
  if (typeof value === 'string') return value;
  if (!Number.isFinite(value)) throw new RangeError(`${key} is ${value}`);
  return String(Math.round(value * 100) / 100);
}

/** Text as XML has it, without the characters that XML cannot hold. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] ?? '');
}
