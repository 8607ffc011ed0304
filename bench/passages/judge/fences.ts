import { scanLines } from './lines.js';
import type { Range, Source } from './source.js';

/** What is wrong with the fences of a passage as it is shown. */
export type FenceFault = 'unclosed' | 'inverted';

/**
 * Whether a passage, shown by itself, leaves a fence open (`unclosed`), or shows code as prose or prose as code
 * (`inverted`), as one does that begins with the end of a code block. Undefined if its fences are in order.
 */
export function fenceFault(
  source: Source,
  range: Range,
  { shown }: { readonly shown: string },
): FenceFault | undefined {
  const { lines, unclosed } = scanLines(shown, source);
  if (unclosed) return 'unclosed';
  const codeOf = (text: string, all: typeof lines, within: Range) =>
    all
      .filter(({ kind, start, end }) => kind === 'code' && start < within.end && end > within.start)
      .map(({ start, end }) => bare(text.slice(Math.max(start, within.start), Math.min(end, within.end))))
      .filter((line) => line !== '');
  const expected = codeOf(source.text, source.scan.lines, range);
  const found = codeOf(shown, lines, { start: 0, end: shown.length });
  const [missing, extra] = [new Set(expected), new Set(found)];
  for (const line of found) missing.delete(line);
  for (const line of expected) extra.delete(line);
  return missing.size + extra.size > 0 ? 'inverted' : undefined;
}

/** A line without the marks of quotes and its indentation. */
function bare(line: string): string {
  return line.replace(/^[\s>]+/, '').trimEnd();
}
