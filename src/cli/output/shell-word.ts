/** A word of a command that people copy into a shell, in quotes if it needs some: `docs`, `'my notes'`. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
