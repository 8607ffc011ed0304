/**
 * The range [start, end) without the whitespace around it; of a blank range its start, so that nothing reaches over the
 * blank. The indentation of its first line stays.
 */
export function trimmed(source: string, start: number, end: number): { start: number; end: number } {
  const slice = source.slice(start, end);
  const space = slice.slice(0, slice.length - slice.trimStart().length);
  const lineBreak = Math.max(space.lastIndexOf('\n'), space.lastIndexOf('\r'));
  const startsLine = lineBreak >= 0 || start === 0 || /[\n\r]/.test(source.charAt(start - 1));
  const from = start + (startsLine ? lineBreak + 1 : space.length);
  const to = start + slice.trimEnd().length;
  return to <= from ? { start, end: start } : { start: from, end: to };
}
