/** The key of a file without the extension of its name: `docs/keys.md` is `docs/keys`. */
export function withoutExtension(key: string): string {
  return key.replace(/\.[a-z][a-z0-9]{0,7}$/i, '');
}
