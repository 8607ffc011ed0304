/** SQLite's integers of seven bits a byte, the highest first; those below 2⁴⁹. */
export function varints(bytes: Uint8Array): number[] {
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

export function varint(number: number): number[] {
  const bytes = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(128 + (rest % 128));
  return bytes;
}
