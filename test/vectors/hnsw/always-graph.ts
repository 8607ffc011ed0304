/** Makes an HNSW index use its graph even where scanning the few rows of a test would be cheaper. */
export const ALWAYS_GRAPH = { rowsPerCandidate: 1 };
