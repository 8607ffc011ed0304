import { validateCall } from '../contract/abortable.js';
import type { RequestFor, ResponseFor } from '../contract/operations/index.js';
import { OPERATIONS } from '../contract/operations/index.js';
import { KNOWLEDGE_BASE_TAG } from '../contract/operations/knowledge-bases.js';
import { shown } from '../contract/validate.js';
import { type Abortable, assertNotAborted } from '../domain/abortable.js';
import { WaymarkError } from '../domain/errors.js';
import type { FileRecords } from '../storage/file-records.js';
import type { KnowledgeBases } from '../storage/knowledge-bases.js';
import type { WithEngine } from './bot-engines.js';
import { removeExpired } from './uploads/remove-expired.js';

/** What the operations on knowledge bases work on. */
export interface KnowledgeBaseFilesParts {
  readonly bases: KnowledgeBases;
  readonly records: FileRecords;
  readonly engine: WithEngine;
  /** Makes all changes durable. */
  readonly sync: () => Promise<void>;
}

/** Files that are deleted for each page of a knowledge base's files. */
const PAGE = 100;

/** The operations on the knowledge bases of one bot. */
export class KnowledgeBaseFiles {
  readonly #parts: KnowledgeBaseFilesParts;

  constructor(parts: KnowledgeBaseFilesParts) {
    this.#parts = parts;
  }

  async list(
    request: RequestFor<'listKnowledgeBases'>,
    options: Abortable,
  ): Promise<ResponseFor<'listKnowledgeBases'>> {
    const { tags = {}, pageSize: size, nextToken } = validateCall(OPERATIONS.listKnowledgeBases, request, options);
    const { items, ...meta } = await (await this.#bases(options)).page(
      { tags },
      { size, direction: 'desc', nextToken },
    );
    return { knowledgeBases: [...items], meta };
  }

  async create(
    request: RequestFor<'createKnowledgeBase'>,
    options: Abortable,
  ): Promise<ResponseFor<'createKnowledgeBase'>> {
    const valid = validateCall(OPERATIONS.createKnowledgeBase, request, options);
    const knowledgeBase = await (await this.#bases(options)).create(valid);
    await this.#parts.sync();
    return { knowledgeBase };
  }

  /** Throws `KNOWLEDGE_BASE_MISSING`. */
  async update(
    request: RequestFor<'updateKnowledgeBase'>,
    options: Abortable,
  ): Promise<ResponseFor<'updateKnowledgeBase'>> {
    const { id, ...changes } = validateCall(OPERATIONS.updateKnowledgeBase, request, options);
    const knowledgeBase = await (await this.#bases(options)).update(id, changes);
    if (!knowledgeBase) throw missing(id);
    await this.#parts.sync();
    return { knowledgeBase };
  }

  /** Deletes a knowledge base once it has no files any more. Throws `KNOWLEDGE_BASE_MISSING`, `ABORTED`. */
  async delete(
    request: RequestFor<'deleteKnowledgeBase'>,
    options: Abortable,
  ): Promise<ResponseFor<'deleteKnowledgeBase'>> {
    const { id } = validateCall(OPERATIONS.deleteKnowledgeBase, request, options);
    const bases = await this.#bases(options);
    if (!(await bases.find(id))) throw missing(id);
    // Files may be uploaded meanwhile.
    do await this.#deleteFiles(id, options);
    while (!(await bases.remove(id, KNOWLEDGE_BASE_TAG)));
    await this.#parts.sync();
    return {};
  }

  /** Throws `ENGINE_CLOSED`, `ABORTED`, and `DATABASE_MOVED` if another file has replaced the database. */
  async #bases(options: Abortable): Promise<KnowledgeBases> {
    await this.#parts.engine(async (engine) => engine.assertUsable(), options);
    return this.#parts.bases;
  }

  async #deleteFiles(id: string, { signal }: Abortable): Promise<void> {
    const { records, engine } = this.#parts;
    await removeExpired(records, engine, { signal });
    const filter = { tags: { [KNOWLEDGE_BASE_TAG]: id }, ids: undefined, indexed: undefined };
    for (;;) {
      const { items } = await records.page(filter, { size: PAGE, direction: 'asc', sortField: 'createdAt' });
      for (const { key, id: fileId, version } of items) {
        assertNotAborted(signal, 'Stopped. Files that were deleted stay so; delete the knowledge base again.');
        // One that has changed meanwhile may no longer belong to it: the next page has it if it does.
        await engine((bot) => bot.removeFile(key, { only: { id: fileId, version }, signal }), { signal });
      }
      if (items.length === 0) return;
    }
  }
}

function missing(id: string): WaymarkError {
  const message = `There is no knowledge base ${shown(id)}: listKnowledgeBases lists those of the bot.`;
  return new WaymarkError('KNOWLEDGE_BASE_MISSING', message);
}
