/** A text as an exact filter compares it: Weaviate would ignore white space at its ends. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}
