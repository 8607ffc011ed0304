/**
 * The exponent of a power law y ~ x^e through points: the slope of the least-squares line in logarithms. 0 does not
 * grow with x, 1 grows in proportion. Undefined for fewer than two different x, or a value that has no logarithm.
 */
export function exponentOf(points: readonly { readonly x: number; readonly y: number }[]): number | undefined {
  if (points.some(({ x, y }) => !(x > 0 && y > 0))) return undefined;
  if (new Set(points.map(({ x }) => x)).size < 2) return undefined;
  const xs = points.map(({ x }) => Math.log(x));
  const ys = points.map(({ y }) => Math.log(y));
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const together = xs.reduce((sum, x, i) => sum + (x - meanX) * ((ys[i] ?? 0) - meanY), 0);
  const alone = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  return together / alone;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
