import { drawn, perturbed, seededRandom } from '../support/statistics/random.js';

/** The base, then perturbed copies of it in turn. A smaller set is the beginning of a larger one. */
export function* perturbedCopies(
  base: readonly Float32Array[],
  { count, seed }: { readonly count: number; readonly seed: string },
): Generator<Float32Array> {
  const random = seededRandom(seed);
  for (let i = 0; i < count; i++) {
    const origin = base[i % base.length];
    if (origin === undefined) throw new RangeError('perturbedCopies needs at least one vector');
    yield i < base.length ? origin : perturbed(origin, random);
  }
}

/** Queries near vectors of the base, but equal to none. */
export function queriesNear(
  base: readonly Float32Array[],
  { count, seed }: { readonly count: number; readonly seed: string },
): Float32Array[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => perturbed(drawn(base, random), random));
}
