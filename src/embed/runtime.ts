import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Why the runtime that models run in cannot be loaded here; undefined where it can. */
export function runtimeUnavailable(): Error | undefined {
  try {
    require('onnxruntime-node');
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
