import { createRequire } from 'node:module';
import { errorOf } from '../domain/errors.js';

const require = createRequire(import.meta.url);

/** Why onnxruntime-node, which runs models, cannot be loaded here; undefined if it can. */
export function runtimeUnavailable(): Error | undefined {
  return errorOf(() => require('onnxruntime-node'));
}
