/** Lines of a file: `5-6`, or `5` for one. */
export function showLines({
  startLine,
  endLine,
}: {
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}): string {
  return startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
}
