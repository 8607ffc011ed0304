/** Cells in aligned columns below their headings: the first `left` columns to the left, the others to the right. */
export function textTable(
  headings: readonly string[],
  { rows, left }: { readonly rows: readonly (readonly string[])[]; readonly left: number },
): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        return column < left ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
}
