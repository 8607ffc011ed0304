import { quantile } from 'waymark/evaluation';

/** Milliseconds that calls took. */
export interface Latencies {
  readonly calls: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export function latenciesOf(milliseconds: readonly number[]): Latencies {
  const at = (share: number) => quantile(milliseconds, share);
  return { calls: milliseconds.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Milliseconds that a call takes. */
export async function timed(call: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await call();
  return performance.now() - started;
}
