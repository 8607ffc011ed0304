import { mulberry32 } from 'waymark/evaluation';

/** Scales the elements to length 1. */
export function unit(elements: Iterable<number>): Float32Array {
  const vector = Float32Array.from(elements);
  const length = Math.hypot(...vector);
  return vector.map((element) => element / length);
}

/** Unit vectors around centres, about 50 per centre, as passages cluster around topics. */
export function clustered(count: number, options: { dimensions: number; seed: number }): Float32Array[] {
  const random = mulberry32(options.seed);
  const normal = () => random() + random() + random() + random() - 2;
  const centres = Array.from({ length: Math.ceil(count / 50) }, () =>
    Array.from({ length: options.dimensions }, () => normal()),
  );
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor(random() * centres.length)] ?? [];
    return unit(centre.map((element) => element + 0.7 * normal()));
  });
}
