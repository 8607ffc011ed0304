/** Tokens that an answer of `waymark mcp` may have. The default is about ten passages. */
export const BUDGET = { least: 500, most: 100_000, default: 4000 } as const;
