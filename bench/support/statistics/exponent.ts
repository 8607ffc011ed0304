import { mean } from './latencies.js';

/**
 * Exponent of the power law y ~ x^e that fits the points best: the least-squares slope in logarithms. 0 is constant, 1
 * is proportional. `undefined` for fewer than two different x, or a value that has no logarithm.
 */
export function exponentOf(points: readonly { readonly x: number; readonly y: number }[]): number | undefined {
  if (points.some(({ x, y }) => !(x > 0 && y > 0))) return undefined;
  if (new Set(points.map(({ x }) => x)).size < 2) return undefined;
  const xs = points.map(({ x }) => Math.log(x));
  const ys = points.map(({ y }) => Math.log(y));
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const covariance = xs.reduce((sum, x, i) => sum + (x - meanX) * ((ys[i] ?? 0) - meanY), 0);
  const variance = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  return covariance / variance;
}

/** `n^0.50`, or the empty string if the exponent is unknown. */
export function formatExponent(exponent: number | undefined): string {
  return exponent === undefined ? '' : `n^${exponent.toFixed(2)}`;
}
