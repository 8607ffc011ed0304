import { createHash } from 'node:crypto';

/** The next number in [0, 1). */
export type Random = () => number;

/** Reproducible random numbers: sfc32 of Chris Doty-Humphrey's PractRand. */
export function seededRandom(seed: string): Random {
  const bytes = createHash('sha256').update(seed).digest();
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => bytes.readInt32LE(at)) as [number, number, number, number];
  return () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}

/** An item, drawn uniformly. Throws `RangeError` if there are none. */
export function drawn<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('there are no items to draw from');
  return item;
}

/** A number of the standard normal distribution: Box & Muller 1958. */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Length of the noise added to a unit vector; its cosine with the result is about 0.9. */
const NOISE = 0.484;

/** A unit vector near a unit vector, like the embeddings of two passages on one subject. */
export function perturbed(vector: Float32Array, random: Random): Float32Array {
  const deviation = NOISE / Math.sqrt(vector.length);
  return normalised(vector.map((element) => element + deviation * gaussian(random)));
}

/** The vector scaled to length 1. */
export function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((squares, element) => squares + element * element, 0));
  return vector.map((element) => element / length);
}
