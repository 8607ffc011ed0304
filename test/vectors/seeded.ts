/** A generator of numbers in [0, 1), the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Scales the elements to length 1. */
export function unit(elements: Iterable<number>): Float32Array {
  const vector = Float32Array.from(elements);
  const length = Math.hypot(...vector);
  return vector.map((element) => element / length);
}

/** Unit vectors around centres, about 50 per centre, as passages cluster around topics. */
export function clustered(count: number, options: { dimensions: number; seed: number }): Float32Array[] {
  const random = seeded(options.seed);
  const normal = () => random() + random() + random() + random() - 2;
  const centres = Array.from({ length: Math.ceil(count / 50) }, () =>
    Array.from({ length: options.dimensions }, () => normal()),
  );
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor(random() * centres.length)] ?? [];
    return unit(centre.map((element) => element + 0.7 * normal()));
  });
}
