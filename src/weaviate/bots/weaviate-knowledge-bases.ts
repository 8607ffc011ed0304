import { ulid } from 'ulid';
import { changedTags } from '../../domain/description.js';
import { passesTags } from '../../domain/filters/tag-filter.js';
import type { KnowledgeBaseRecord, KnowledgeBases } from '../../storage/knowledge-bases.js';
import type { Page, PageRequest } from '../../storage/page.js';
import type { Cluster } from '../connection/cluster.js';
import { FileHeads } from '../files/file-heads.js';
import { ExclusiveChanges } from '../records/exclusive-changes.js';
import { KeyLocks } from '../records/key-locks.js';
import { pageOf } from '../records/page.js';
import { Records } from '../records/records.js';
import { RECORDS } from '../schema/collections.js';
import { tagFilters } from '../schema/tag-filters.js';

/** The knowledge bases of one bot, in a cluster. */
export class WeaviateKnowledgeBases implements KnowledgeBases {
  readonly #cluster: Cluster;
  readonly #records: Records<KnowledgeBaseRecord>;
  readonly #changes: ExclusiveChanges;
  readonly #heads: FileHeads;

  /** `locks` are shared with the other calls of this process. */
  constructor(cluster: Cluster, bot: string, locks = new KeyLocks()) {
    this.#cluster = cluster;
    const partition = { collection: RECORDS, tenant: bot };
    this.#records = new Records<KnowledgeBaseRecord>(cluster, { ...partition, kind: 'knowledge-base' });
    this.#changes = new ExclusiveChanges(cluster, { ...partition, kind: 'knowledge-base-change' }, locks);
    this.#heads = new FileHeads(cluster, bot);
  }

  async find(id: string): Promise<KnowledgeBaseRecord | undefined> {
    return this.#records.find(id);
  }

  async page({ tags }: Parameters<KnowledgeBases['page']>[0], page: PageRequest): Promise<Page<KnowledgeBaseRecord>> {
    const passing = (await this.#records.list()).filter((base) => passesTags(base.tags, tags));
    return pageOf(
      passing,
      { sort: 'knowledgeBases.createdAt', sortedBy: (it) => it.createdAt, idOf: (it) => it.id },
      page,
    );
  }

  async create({ name, tags }: Parameters<KnowledgeBases['create']>[0]): Promise<KnowledgeBaseRecord> {
    const made = { id: `kb_${ulid()}`, name, tags, createdAt: new Date().toISOString() };
    await this.put(made);
    return made;
  }

  async update(
    id: string,
    { name, tags: changes }: Parameters<KnowledgeBases['update']>[1],
  ): Promise<KnowledgeBaseRecord | undefined> {
    const { updated } = await this.#changes.run(id, async (isLate) => {
      const record = await this.find(id);
      if (!record) return { updated: undefined };
      const updated = { ...record, name, tags: changedTags(record.tags, changes) };
      if (isLate()) return undefined;
      await this.put(updated);
      return { updated };
    });
    return updated;
  }

  /** A file that another process adds at the same moment keeps the tag, which means nothing then. */
  async remove(id: string, tag: string): Promise<boolean> {
    const [file] = await this.#heads.where((files) => {
      const conditions = tagFilters(this.#cluster, files, { [tag]: id });
      return this.#cluster.filters.and(...conditions);
    }, 1);
    if (file) return false;
    return this.#changes.run(id, async (isLate) => {
      if (isLate()) return undefined;
      await this.#records.remove(id);
      return true;
    });
  }

  /** Inserts or replaces a knowledge base. */
  async put(record: KnowledgeBaseRecord): Promise<void> {
    await this.#records.put({ id: record.id, body: record, stamp: Date.parse(record.createdAt) });
  }
}
