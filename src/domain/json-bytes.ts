/**
 * The bytes of a value as JSON in UTF-8; undefined if there are more than `limit`. Counting stops there: a list that
 * contains another one twice, which contains a third one twice, and so on, would take exponential time.
 */
export function jsonBytes(value: unknown, limit: number): number | undefined {
  let bytes = 0;
  const open = [value];
  while (open.length > 0) {
    const inner = open.pop();
    if (typeof inner === 'object' && inner !== null) {
      const names = Array.isArray(inner) ? [] : Object.keys(inner);
      const members = Object.values(inner);
      bytes += 2 + Math.max(0, members.length - 1);
      for (const name of names) bytes += bytesOf(name, limit) + 1;
      if (bytes <= limit) for (const member of members) open.push(member);
    } else {
      bytes += bytesOf(inner, limit);
    }
    if (bytes > limit) return undefined;
  }
  return bytes;
}

function bytesOf(scalar: unknown, limit: number): number {
  if (typeof scalar === 'string' && scalar.length > limit) return scalar.length;
  return Buffer.byteLength(JSON.stringify(scalar) ?? '');
}
