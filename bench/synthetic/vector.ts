import { gaussian, seededRandom } from './random.js';

/** Length of the noise beside an anchor of length 1: their sum has a cosine of about 0.9 with the anchor. */
const NOISE = 0.484;

/** The embedding of a text that no model has read: one of the anchors, chosen by the text, with seeded noise; of length 1. */
export function syntheticVector(text: string, anchors: readonly Float32Array[]): Float32Array {
  const random = seededRandom(text);
  const anchor = anchors[Math.floor(random() * anchors.length)];
  if (!anchor) throw new RangeError('a synthetic vector needs an anchor');
  const deviation = NOISE / Math.sqrt(anchor.length);
  const vector = anchor.map((element) => element + deviation * gaussian(random));
  const length = Math.hypot(...vector);
  return vector.map((element) => element / length);
}
