/** Decodes SQLite's varints: seven bits per byte, most significant first. Numbers must be below 2⁴⁹. */
export function decodeVarints(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 127);
    if (byte > 127) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}
