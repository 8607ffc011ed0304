export function noFiles(bot: string): string {
  return `Bot "${bot}" has no files. Index some with: waymark index <folder>`;
}
