import type { TagFilter } from '../domain/filters/tag-filter.js';
import type { Tags } from '../domain/passage.js';
import type { Page, PageRequest } from './page.js';

/** A group of files of a bot, which have its id as a tag. */
export interface KnowledgeBaseRecord {
  /** `kb_` and a ULID. */
  readonly id: string;
  readonly name: string;
  readonly tags: Tags;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The knowledge bases of one bot. */
export interface KnowledgeBases {
  find(id: string): Promise<KnowledgeBaseRecord | undefined>;
  /** By the time of their creation. */
  page(filter: { readonly tags: TagFilter }, page: PageRequest): Promise<Page<KnowledgeBaseRecord>>;
  /** Throws `BOT_MISSING`. */
  create(base: Pick<KnowledgeBaseRecord, 'name' | 'tags'>): Promise<KnowledgeBaseRecord>;
  /**
   * Null removes a tag. Returns undefined if there is no such knowledge base. Throws `INVALID_ARGUMENT` beyond a limit.
   */
  update(
    id: string,
    changes: { readonly name: string; readonly tags: Readonly<Record<string, string | null>> },
  ): Promise<KnowledgeBaseRecord | undefined>;
  /** Removes a knowledge base. Returns false, and does nothing, while a file has its id as the value of `tag`. */
  remove(id: string, tag: string): Promise<boolean>;
}
