import { tagFilterSchema } from '../contract/fields/query.js';
import type { TagFilter } from '../domain/filters/tag-filter.js';
import { z } from '../domain/zod.js';

/** A knowledge base that was queried for an event, as a platform records it: by its name, its id or both. */
export interface KnowledgeRecord {
  readonly name?: string | undefined;
  /** Further fields, such as `id`, kept as they are. */
  readonly [further: string]: unknown;
}

/** A set of a bot's files that is searched as one: `{ name: 'docs', tags: { kbName: 'docs' } }`. */
export interface KnowledgeBase extends KnowledgeRecord {
  readonly name: string;
  /** Selects its files. Defaults to all files. */
  readonly tags?: TagFilter | undefined;
  /** Further fields of the caller, kept as they are. */
  readonly [further: string]: unknown;
}

/** A content that was found for an event. Those of `withKnowledge` have a score and a key. */
export interface KnowledgeResult {
  /**
   * The title in the file's metadata (which its front matter sets), or else the outermost part of the passage's
   * breadcrumb (a heading, or the file's name in words), or else the file's key.
   */
  readonly dsFriendlyName: string;
  /** The passage with its neighbours, up to `contextDepth` on either side. */
  readonly content: string;
  /** Relevance from 0 to 1; higher is better. */
  readonly score?: number | undefined;
  /** Key of the file. */
  readonly key?: string | undefined;
  /** Further fields of a platform, kept as they are. */
  readonly [further: string]: unknown;
}

// Zod's records drop such a member, and the filter would lose a condition.
const filterWithoutPrototype = z
  .custom((tags) => !Object.hasOwn(Object(tags), '__proto__'))
  .pipe(tagFilterSchema)
  .optional()
  .describe('an object of tag names, none of which is "__proto__", to conditions');

/** Validates a `KnowledgeBase`. */
export const knowledgeBaseSchema = z.looseObject({ name: z.string().min(1), tags: filterWithoutPrototype });

/** Validates a `KnowledgeRecord`. */
export const knowledgeRecordSchema = z.looseObject({ name: orAbsent(z.string().min(1)) });

/** Validates a `KnowledgeResult`. */
export const knowledgeResultSchema = z.looseObject({
  dsFriendlyName: z.string(),
  content: z.string(),
  score: orAbsent(z.number()),
  key: orAbsent(z.string()),
});

/** A field that may be absent; null stands for that, too. */
function orAbsent<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}
