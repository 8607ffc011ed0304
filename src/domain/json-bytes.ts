/**
 * The bytes of a value as JSON in UTF-8; undefined if there are more than `most`. Counting stops there: a list that
 * contains another one twice, which contains a third one twice, and so on, would take exponential time.
 */
export function jsonBytes(value: unknown, most: number): number | undefined {
  let bytes = 0;
  const open = [value];
  while (open.length > 0) {
    const inner = open.pop();
    if (typeof inner === 'object' && inner !== null) {
      const names = Array.isArray(inner) ? [] : Object.keys(inner);
      const members = Object.values(inner);
      bytes += 2 + Math.max(0, members.length - 1);
      for (const name of names) bytes += bytesOf(name, most) + 1;
      if (bytes <= most) for (const member of members) open.push(member);
    } else {
      bytes += bytesOf(inner, most);
    }
    if (bytes > most) return undefined;
  }
  return bytes;
}

function bytesOf(scalar: unknown, most: number): number {
  if (typeof scalar === 'string' && scalar.length > most) return scalar.length;
  return Buffer.byteLength(JSON.stringify(scalar) ?? '');
}
