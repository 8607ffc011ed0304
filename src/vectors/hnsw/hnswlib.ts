import { createRequire } from 'node:module';
import type { HierarchicalNSW } from 'hnswlib-node';
import { WaymarkError } from '../../domain/errors.js';

/** A graph as the binding has it. Its faults, and how they are kept away from, are in hnsw-graph.ts. */
export type NativeGraph = HierarchicalNSW;

interface Hnswlib {
  readonly HierarchicalNSW: new (space: 'ip', dimensions: number) => NativeGraph;
}

const require = createRequire(import.meta.url);

/**
 * hnswlib-node, which is optional: it needs a compiler where it is installed. Throws `VECTOR_INDEX_UNAVAILABLE` with
 * the cause when it cannot be loaded.
 */
export function loadHnswlib(): Hnswlib {
  try {
    return require('hnswlib-node') as Hnswlib;
  } catch (error) {
    throw new WaymarkError(
      'VECTOR_INDEX_UNAVAILABLE',
      'hnswlib-node cannot be loaded: install it (npm install hnswlib-node, which needs a C++ compiler), or use the exact index.',
      { cause: error },
    );
  }
}

/** Why there can be no HNSW index here (`VECTOR_INDEX_UNAVAILABLE`, with the cause); undefined where there can. */
export function hnswUnavailable(): WaymarkError | undefined {
  try {
    loadHnswlib();
    return undefined;
  } catch (error) {
    return error as WaymarkError;
  }
}
