import { z } from 'zod';
import { tagFilterSchema } from '../contract/fields/query.js';
import type { TagFilter } from '../domain/tag-filter.js';

/** A set of a bot's files that is searched as one: `{ name: 'docs', tags: { kbName: 'docs' } }`. */
export interface KnowledgeBase {
  readonly name: string;
  /** Selects its files. Defaults to all files. */
  readonly tags?: TagFilter | undefined;
  /** Further fields of the caller, kept as they are. */
  readonly [further: string]: unknown;
}

/** A passage found in a knowledge base. */
export interface KnowledgeResult {
  /**
   * The title in the file's metadata (which its front matter sets), or else the outermost part of the passage's
   * breadcrumb (a heading, or the file's name in words), or else the file's key.
   */
  readonly dsFriendlyName: string;
  /** The passage with its neighbours, up to `contextDepth` on either side. */
  readonly content: string;
  /** Relevance from 0 to 1; higher is better. */
  readonly score: number;
  /** Key of the file. */
  readonly key: string;
}

/** Validates a `KnowledgeBase`. */
export const knowledgeBaseSchema = z.looseObject({ name: z.string().min(1), tags: tagFilterSchema });

/** Validates a `KnowledgeResult`. */
export const knowledgeResultSchema = z.object({
  dsFriendlyName: z.string(),
  content: z.string(),
  score: z.number(),
  key: z.string(),
});
