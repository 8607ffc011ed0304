/** Media types of texts that can be indexed. */
export const CONTENT_TYPES = ['text/markdown', 'text/mdx', 'text/plain'] as const;

/** The media type of a key, by its ending. */
export function contentTypeOfKey(key: string): string {
  const [ending = ''] = /[^.]*$/.exec(key.toLowerCase()) ?? [];
  return TYPES.get(ending) ?? 'application/octet-stream';
}

/** Not an object: an ending may be `constructor`. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['mdx', 'text/mdx'],
  ['txt', 'text/plain'],
  ['html', 'text/html'],
  ['json', 'application/json'],
  ['pdf', 'application/pdf'],
]);
