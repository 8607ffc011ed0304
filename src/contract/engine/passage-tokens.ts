import { z } from '../../domain/zod.js';

/** The least that `passageTokens` may be. */
export const MIN_PASSAGE_TOKENS = 16;

/** Maximum tokens of a passage. What the model reads is the other limit. */
export const passageTokensSchema = z
  .int()
  .min(MIN_PASSAGE_TOKENS)
  .optional()
  .describe(`an integer of at least ${MIN_PASSAGE_TOKENS}`);
