/** A table of markdown. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `${[line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n')}\n`;
}
