/** The keys after one, which need not be among them. Keys are in the order of an engine: that of their UTF-8 bytes. */
export function keysAfter(keys: readonly string[], after: string): string[] {
  const bytes = Buffer.from(after);
  return keys.filter((key) => Buffer.compare(Buffer.from(key), bytes) > 0);
}
