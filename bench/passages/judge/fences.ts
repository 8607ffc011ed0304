import { scanLines } from './lines.js';
import type { Range, Source } from './source.js';

/** What is wrong with the fences of a passage as it is shown. */
export type FenceFault = 'unclosed' | 'inverted' | 'indented';

/**
 * Whether a passage, shown by itself, leaves a fence open (`unclosed`), or shows code as prose or prose as code
 * (`inverted`), as a passage does that is the middle of a code block. `indented` is one of the two that disappears with
 * the indentation of the passage, as in an item of a list. Undefined if its fences are in order.
 */
export function fenceFault(
  source: Source,
  range: Range,
  { shown }: { readonly shown: string },
): FenceFault | undefined {
  const expected = new Set(codeIn(source.text, source.scan, range));
  const faultOf = (text: string): FenceFault | undefined => {
    const scan = scanLines(text, { mdx: source.mdx });
    if (scan.unclosed) return 'unclosed';
    const found = new Set(codeIn(text, scan, { start: 0, end: text.length }));
    const differs = found.size !== expected.size || [...found].some((line) => !expected.has(line));
    return differs ? 'inverted' : undefined;
  };
  const fault = faultOf(shown);
  if (!fault) return undefined;
  const start = source.text.lastIndexOf('\n', range.start - 1) + 1;
  const before = /^[ \t]*$/.exec(source.text.slice(start, range.start))?.[0] ?? '';
  // The line of MkDocs that the indentation belongs to may be in the passage before.
  const others = [outdented(shown), outdented(before + shown), `!!! note\n\n${before}${shown}`];
  return others.some((text) => faultOf(text) === undefined) ? 'indented' : fault;
}

/** The lines between fences within a range. */
function codeIn(text: string, { lines }: ReturnType<typeof scanLines>, range: Range): string[] {
  return lines
    .filter(({ kind, start, end }) => kind === 'code' && start < range.end && end > range.start)
    .map(({ start, end }) => bare(text.slice(Math.max(start, range.start), Math.min(end, range.end))))
    .filter((line) => line !== '');
}

/** A line without the marks of quotes and its indentation. */
function bare(line: string): string {
  return line.replace(/^[\s>]+/, '').trimEnd();
}

/** A text without the indentation that all its lines share, the first left out if it has none. */
function outdented(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const all = /^[ \t]/.test(first) ? [first, ...rest] : rest;
  const shared = Math.min(...all.filter((line) => line.trim() !== '').map((line) => line.search(/[^ \t]/)));
  if (!Number.isFinite(shared)) return text;
  const cut = (line: string) => line.slice(Math.min(shared, line.length - line.trimStart().length));
  return [first, ...rest].map(cut).join('\n');
}
