/** A count as people read it, with separators from a thousand: `12,345`. */
export function shownNumber(count: number): string {
  return count.toLocaleString('en');
}

/** A count with its noun, as people read it: `1 file`, `2,000 files`. */
export function counted(count: number, noun: string): string {
  return `${shownNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number of bytes as people read it, in millions or billions: `2.2 MB`, `1.3 GB`. */
export function shownSize(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
