import { gaussianOf, randomOf } from './random.js';

/** Cosine of a perturbed vector and its origin, in the mean: like that of two passages about one thing. */
export const COSINE = 0.9;

/** A vector with noise in all directions, of length 1 again. */
export function perturbed(
  vector: Float32Array,
  { gaussian, cosine = COSINE }: { readonly gaussian: () => number; readonly cosine?: number },
): Float32Array {
  // Noise of length r, which in so many dimensions stands square on the vector, leaves a cosine of 1 / √(1 + r²).
  const sigma = Math.sqrt((1 / cosine ** 2 - 1) / vector.length);
  const noisy = vector.map((element) => element + sigma * gaussian());
  const length = Math.sqrt(noisy.reduce((sum, element) => sum + element * element, 0));
  return noisy.map((element) => element / length);
}

/** The base, then perturbed copies of it in turn: a smaller set is the beginning of a larger one. */
export function* copiesOf(
  base: readonly Float32Array[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Generator<Float32Array> {
  const gaussian = gaussianOf(randomOf(seed));
  for (let i = 0; i < count; i++) {
    const origin = base[i % base.length];
    if (origin === undefined) throw new RangeError('copies need a vector to copy');
    yield i < base.length ? origin : perturbed(origin, { gaussian });
  }
}

/** Perturbed vectors of origins that are drawn at random: questions near what is there, and none of it. */
export function queriesNear(
  base: readonly Float32Array[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Float32Array[] {
  const random = randomOf(seed);
  const gaussian = gaussianOf(random);
  return Array.from({ length: count }, () => {
    const origin = base[Math.floor(random() * base.length)];
    if (origin === undefined) throw new RangeError('queries need a vector to be near to');
    return perturbed(origin, { gaussian });
  });
}
