import { createRequire } from 'node:module';
import type { HierarchicalNSW } from 'hnswlib-node';
import { errorOf, WaymarkError } from '../../domain/errors.js';

/** A graph as hnswlib-node exposes it. `HnswGraph` lists its faults and works around them. */
export type NativeGraph = HierarchicalNSW;

interface Hnswlib {
  readonly HierarchicalNSW: new (space: 'ip', dimensions: number) => NativeGraph;
}

const require = createRequire(import.meta.url);

/**
 * Loads hnswlib-node, an optional dependency because its installation needs a compiler. Throws
 * `VECTOR_INDEX_UNAVAILABLE`, with the cause, when it cannot be loaded.
 */
export function loadHnswlib(): Hnswlib {
  try {
    return require('hnswlib-node') as Hnswlib;
  } catch (error) {
    throw new WaymarkError(
      'VECTOR_INDEX_UNAVAILABLE',
      'hnswlib-node cannot be loaded: its installation needs a C++ compiler. See why with npm install ' +
        '--foreground-scripts, or use the exact index.',
      { cause: error },
    );
  }
}

/** Why no HNSW index can be created here (`VECTOR_INDEX_UNAVAILABLE`, with the cause); undefined if one can. */
export function hnswUnavailable(): Error | undefined {
  return errorOf(loadHnswlib);
}
