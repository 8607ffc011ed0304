/** Orders strings as SQLite does: by their bytes in UTF-8, which is the order of their code points. */
export function byteOrder(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return placeOf(x) - placeOf(y);
  }
  return a.length - b.length;
}

/** Halves of surrogate pairs stand for the greatest code points, and come before others as numbers. */
function placeOf(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
