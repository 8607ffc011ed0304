import { z } from 'zod';
import { tagFilterSchema } from '../contract/fields/query.js';
import type { TagFilter } from '../domain/tag-filter.js';

/** Files of a bot that are searched together: `{ name: 'docs', tags: { kbName: 'docs' } }`. */
export interface KnowledgeBase {
  readonly name: string;
  /** Which files belong to it; all files unless given. */
  readonly tags?: TagFilter | undefined;
  /** Whatever else the caller knows it by; kept as given. */
  readonly [further: string]: unknown;
}

/** A passage that a knowledge base answers. */
export interface KnowledgeResult {
  /**
   * The title in the file's metadata, which its front matter has; else the outermost heading above the passage; else
   * the file's key.
   */
  readonly dsFriendlyName: string;
  /** The passage and its neighbours, as far as `contextDepth` reaches. */
  readonly content: string;
  /** 0 to 1, higher is better. */
  readonly score: number;
  /** The file's key. */
  readonly key: string;
}

export const knowledgeBaseSchema = z.looseObject({ name: z.string().min(1), tags: tagFilterSchema });

export const knowledgeResultSchema = z.object({
  dsFriendlyName: z.string(),
  content: z.string(),
  score: z.number(),
  key: z.string(),
});
