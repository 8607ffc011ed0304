import { drawn, perturbed, seededRandom } from '../statistics/random.js';

/** A made-up embedding: one of the anchors with noise, both drawn from the hash of the text. */
export function syntheticVector(text: string, anchors: readonly Float32Array[]): Float32Array {
  const random = seededRandom(text);
  return perturbed(drawn(anchors, random), random);
}
