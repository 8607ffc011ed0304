import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Why onnxruntime-node, which runs models, cannot be loaded here; undefined if it can. */
export function runtimeUnavailable(): Error | undefined {
  try {
    require('onnxruntime-node');
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
