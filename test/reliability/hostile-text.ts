import fc from 'fast-check';

/** A text that repeats and nests constructs until it has about a number of bytes. */
export interface HostileText {
  /** The constructs, as a table shows them. */
  readonly name: string;
  /** The text with a number of repetitions. */
  readonly repeated: (times: number) => string;
}

type Construct = readonly [name: string, repeated: (inner: string, times: number) => string];

/** Constructs of markdown and front matter that have been costly somewhere; `inner` is what they contain. */
const CONSTRUCTS: readonly Construct[] = [
  ['marks', (inner, times) => `a${`\u0301\u0316${inner.slice(0, 1)}`.repeat(times)}`],
  ['emphasis', (inner, times) => `*${inner}_ `.repeat(times)],
  ['open emphasis', (inner, times) => `${'**a *'.repeat(times)}${inner}`],
  ['quotes', (inner, times) => `${'> '.repeat(Math.min(times, 500))}${inner}\n`.repeat(Math.ceil(times / 500))],
  ['lists', (inner, times) => Array.from({ length: times }, (_, i) => `${' '.repeat(i % 60)}- ${inner}`).join('\n')],
  [
    'lists in lists',
    (inner, times) => Array.from({ length: times }, (_, i) => `${' '.repeat(2 * i)}- ${inner}`).join('\n'),
  ],
  ['footnotes in footnotes', (inner, times) => `${'[^a]: '.repeat(times)}${inner}`],
  ['nested emphasis', (inner, times) => `${'*a '.repeat(times)}${inner}${' a*'.repeat(times)}`],
  ['table rows', (inner, times) => `|a|b|\n|-|-|\n${`|${inner.replaceAll('\n', ' ')}|x|\n`.repeat(times)}`],
  ['table columns', (_, times) => `${'|a'.repeat(times)}|\n${'|-'.repeat(times)}|\n`],
  ['open links', (inner, times) => `${'['.repeat(times)}${inner}`],
  ['links', (inner, times) => `[${inner}](</a> "b") `.repeat(times)],
  ['references', (inner, times) => `[${inner}][a] `.repeat(times)],
  ['definitions', (_, times) => Array.from({ length: times }, (_, i) => `[d${i}]: /a "b"`).join('\n')],
  ['footnotes', (inner, times) => `a[^1] ${inner}`.repeat(times).concat('\n\n[^1]: b')],
  [
    'headings',
    (inner, times) => Array.from({ length: times }, (_, i) => `${'#'.repeat(1 + (i % 6))} ${inner}`).join('\n'),
  ],
  ['backticks', (inner, times) => Array.from({ length: times }, (_, i) => '`'.repeat(1 + (i % 50))).join(inner || 'a')],
  ['fences', (inner, times) => `\`\`\`${inner}\n`.repeat(times)],
  ['html', (inner, times) => `<a href="${inner.replaceAll('"', '')}"`.repeat(times)],
  ['comments', (inner, times) => `<!-- ${inner} `.repeat(times)],
  ['entities', (inner, times) => `&amp${inner}&#1114112;`.repeat(times)],
  ['escapes', (inner, times) => `\\${inner}\\`.repeat(times)],
  ['autolinks', (inner, times) => `www.a.b/${inner}@`.repeat(times)],
  ['one word', (inner, times) => `${inner.replace(/\s/g, '')}a`.repeat(times)],
  ['one line', (inner, times) => `${inner.replaceAll('\n', ' ')} word `.repeat(times)],
  ['blanks', (inner, times) => `${inner}\t  `.repeat(times)],
  ['lines', (inner, times) => `${inner}\n`.repeat(times)],
  ['no spaces', (inner, times) => `${inner.replace(/\s/g, '')}東京都`.repeat(times)],
  ['joined', (inner, times) => `${inner.slice(0, 1)}\u200d👩`.repeat(times)],
  ['yaml aliases', (inner, times) => `---\na: &a [x]\n${'b: [*a, *a]\n'.repeat(Math.min(times, 90))}---\n${inner}`],
  ['yaml depth', (inner, times) => `---\na: ${'['.repeat(Math.min(times, 5000))}\n---\n${inner}`],
  [
    'yaml keys',
    (inner, times) => `---\n${Array.from({ length: times }, (_, i) => `k${i}: v`).join('\n')}\n---\n${inner}`,
  ],
];

const construct = fc.constantFrom(...CONSTRUCTS);

/** One construct, one that contains a little of another, or two behind one another. */
export const hostileText: fc.Arbitrary<HostileText> = fc
  .tuple(construct, construct, fc.constantFrom<'alone' | 'around' | 'before'>('alone', 'around', 'before'))
  .map(([[outer, repeat], [inner, repeatInner], how]) => {
    if (how === 'alone') return { name: outer, repeated: (times) => repeat('a b', times) };
    if (how === 'around') {
      const within = repeatInner('a', 3);
      return { name: `${outer} around ${inner}`, repeated: (times) => repeat(within, times) };
    }
    return {
      name: `${outer} before ${inner}`,
      repeated: (times) => `${repeat('a', times)}\n${repeatInner('a', times)}`,
    };
  });

/** The text with about a number of bytes. */
export function ofSize({ repeated }: HostileText, bytes: number): string {
  let times = 1;
  while (Buffer.byteLength(repeated(times)) < bytes && times < bytes) times *= 2;
  return repeated(times).slice(0, bytes).toWellFormed();
}

/** An ordinary text of a size, to compare with. */
export function benign(bytes: number): string {
  const section = (i: number) =>
    `## Section ${i}\n\nThe kettle ${i} is descaled with vinegar, and then rinsed twice.\n\n`;
  let text = '# Kettles\n\n';
  for (let i = 0; text.length < bytes; i += 1) text += section(i);
  return text.slice(0, bytes);
}
