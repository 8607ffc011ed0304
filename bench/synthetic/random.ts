import { createHash } from 'node:crypto';

/** The next number in 0..1, 1 excluded. */
export type Random = () => number;

/** Numbers that look random, the same for the same seed: sfc32 of Chris Doty-Humphrey's PractRand. */
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

/** An item, each with the same chance. */
export function drawn<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('there is nothing to draw from');
  return item;
}

/** A number of the standard normal distribution: Box & Muller 1958. */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
