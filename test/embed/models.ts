import path from 'node:path';

/** The folder of the bundled model. */
export const BUNDLED = path.resolve('models/waymark-docs-small-en');

/** A second model, which may lie beside the repository. */
export const MINILM = path.resolve('../shared/models/all-MiniLM-L6-v2');

/** The cosine of two unit vectors. */
export function cosine(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number {
  return a.reduce((sum, element, i) => sum + element * (b[i] ?? 0), 0);
}
