/** One line of JSON per object. */
export function jsonLines(...objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('');
}
