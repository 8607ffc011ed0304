import { createRequire } from 'node:module';
import path from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { optionalPackage } from '../optional-package.js';

/** A line of a page. */
interface Line {
  readonly text: string;
  /** Height of its letters, and of its baseline above the bottom of the page; in points. */
  readonly height: number;
  readonly y: number;
}

/** By how much letters of a heading are larger than those of most text. */
const HEADING = 1.2;

/** The most characters of a heading; longer lines in large letters are text. */
const LONGEST_HEADING = 120;

/** A gap of this many heights between two baselines separates paragraphs. */
const GAP = 1.8;

/**
 * The text of a PDF. Each page but the first begins with a form feed. Lines in larger letters become headings, with one
 * `#` for each level; a blank line separates paragraphs. Throws an Error with the reason if it has no text or cannot be
 * read.
 */
export default async function extractPdf(bytes: Uint8Array): Promise<string> {
  const { getDocument, VerbosityLevel } = await optionalPackage('pdfjs-dist@4', {
    of: 'PDF',
    load: loadOnce,
  });
  const task = getDocument({
    data: new Uint8Array(bytes),
    isEvalSupported: false,
    disableFontFace: true,
    verbosity: VerbosityLevel.ERRORS,
    ...characterMaps(),
  });
  try {
    const pages = await pagesOf(await task.promise);
    if (pages.every((lines) => lines.length === 0)) {
      throw new Error('it contains no text: if it is a scan, add a text layer with OCR software first');
    }
    const depths = headingDepths(pages.flat());
    return pages.map((lines) => textOf(lines, depths)).join('\n\f');
  } catch (cause) {
    const { name } = cause as Error;
    if (name === 'PasswordException') throw new Error('it needs a password: save it without one', { cause });
    if (name === 'Error') throw cause;
    throw new Error('it is not a PDF, or it is damaged: save it again', { cause });
  } finally {
    await task.destroy();
  }
}

let loading: ReturnType<typeof loadSilently> | undefined;

/** Loads pdf.js once: a second load would save the silenced `console.log` of the first, and restore that. */
function loadOnce() {
  loading ??= loadSilently();
  return loading;
}

/** Hides what pdf.js prints while it is loaded: that it cannot draw without a canvas. Nothing is drawn here. */
async function loadSilently() {
  const { log } = console;
  console.log = () => {};
  try {
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    console.log = log;
  }
}

/**
 * Where pdf.js finds which characters the codes of a font stand for. Most fonts bring this along, but those of Chinese,
 * Japanese and Korean may only name a table.
 */
function characterMaps() {
  const folder = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  return { cMapUrl: path.join(folder, 'cmaps', path.sep), cMapPacked: true };
}

async function pagesOf(document: PDFDocumentProxy): Promise<Line[][]> {
  const pages: Line[][] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(linesOf(items.filter((item) => 'str' in item)));
    page.cleanup();
  }
  return pages;
}

interface Item {
  readonly str: string;
  readonly height: number;
  readonly transform: readonly number[];
  readonly hasEOL: boolean;
}

function linesOf(items: readonly Item[]): Line[] {
  const lines: Line[] = [];
  let text: string[] = [];
  let [height, y] = [0, 0];
  for (const item of items) {
    text.push(item.str);
    if (item.str.trim() !== '') [height, y] = [Math.max(height, item.height), item.transform[5] ?? 0];
    if (!item.hasEOL && item !== items.at(-1)) continue;
    // NUL and the like come from fonts without a map to characters.
    const line = text
      .join('')
      .replace(/\p{Cc}/gu, ' ')
      .trimEnd();
    if (line.trim() !== '') lines.push({ text: line, height, y });
    text = [];
    height = 0;
  }
  return lines;
}

/** The depths of headings by the height of their letters: the three largest that are larger than most text. */
function headingDepths(lines: readonly Line[]): ReadonlyMap<number, number> {
  const characters = new Map<number, number>();
  for (const { text, height } of lines) {
    const size = rounded(height);
    characters.set(size, (characters.get(size) ?? 0) + text.length);
  }
  const [body = 0] = [...characters].sort((a, b) => b[1] - a[1])[0] ?? [];
  const larger = [...characters.keys()].filter((size) => size >= body * HEADING).sort((a, b) => b - a);
  return new Map(larger.map((size, i) => [size, Math.min(i + 1, 3)]));
}

function textOf(lines: readonly Line[], depths: ReadonlyMap<number, number>): string {
  const parts: string[] = [];
  let above: Line | undefined;
  let wasHeading = false;
  for (const line of lines) {
    const depth = line.text.length <= LONGEST_HEADING ? depths.get(rounded(line.height)) : undefined;
    const isApart = above && Math.abs(above.y - line.y) > GAP * Math.max(above.height, line.height);
    if (above && (isApart || depth !== undefined || wasHeading)) parts.push('');
    // A blank before it: only headings begin with the mark.
    const text = line.text.startsWith('#') ? ` ${line.text}` : line.text;
    parts.push(depth === undefined ? text : `${'#'.repeat(depth)} ${line.text.trim()}`);
    above = line;
    wasHeading = depth !== undefined;
  }
  return parts.join('\n');
}

function rounded(height: number): number {
  return Math.round(height * 2) / 2;
}
