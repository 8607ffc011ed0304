import { z } from '../../domain/zod.js';

const cosine = z.number().min(-1).max(1);

/** The fields of a model card that a model folder or a caller may state. */
export const cardFields = {
  dimensions: z.int().positive().describe('an integer of at least 1'),
  pooling: z.enum(['cls', 'mean']).describe('"cls" or "mean"'),
  queryPrefix: z.string().describe('a string'),
  passagePrefix: z.string().describe('a string'),
  maxTokens: z.int().min(16).describe('an integer of at least 16'),
  similarity: z
    .object({ unrelated: cosine, related: cosine })
    .refine(({ unrelated, related }) => unrelated < related)
    .optional()
    .describe('{ unrelated, related }, two cosines of which related is the greater'),
};
