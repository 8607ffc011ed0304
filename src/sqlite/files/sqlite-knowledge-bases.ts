import { ulid } from 'ulid';
import { changedTags } from '../../domain/description.js';
import type { KnowledgeBaseRecord, KnowledgeBases } from '../../storage/knowledge-bases.js';
import type { Page, PageRequest } from '../../storage/page.js';
import { assertBot } from '../accounts/assert-bot.js';
import type { Connection } from '../connection/connection.js';
import { type Paged, pageOf } from '../connection/page.js';
import { storedJson } from '../connection/stored-json.js';
import { tagCondition, tagsIn } from './tag-condition.js';

interface Row extends Omit<KnowledgeBaseRecord, 'tags'> {
  /** A JSON object. */
  readonly tags: string;
}

const COLUMNS = `id, name, tags, created_at AS createdAt`;

/** The knowledge bases of one bot, in SQLite. */
export class SqliteKnowledgeBases implements KnowledgeBases {
  readonly #connection: Connection;
  readonly #bot: number;

  constructor(connection: Connection, bot: number) {
    this.#connection = connection;
    this.#bot = bot;
  }

  async find(id: string): Promise<KnowledgeBaseRecord | undefined> {
    const row = this.#row(id);
    return row && recordOf(row);
  }

  async page({ tags }: Parameters<KnowledgeBases['page']>[0], page: PageRequest): Promise<Page<KnowledgeBaseRecord>> {
    const { sql, parameters } = tagCondition(tags, tagsIn('knowledge_bases.tags'));
    const { items, ...rest } = pageOf<Row & Paged>(
      this.#connection,
      {
        select: COLUMNS,
        from: `knowledge_bases WHERE bot = ? AND ${sql}`,
        sort: 'knowledge_bases.created_at',
        number: 'knowledge_bases.number',
        parameters: [this.#bot, ...parameters],
      },
      page,
    );
    return { items: items.map(recordOf), ...rest };
  }

  async create({ name, tags }: Parameters<KnowledgeBases['create']>[0]): Promise<KnowledgeBaseRecord> {
    return this.#connection.write(() => {
      assertBot(this.#connection, this.#bot);
      const made = { id: `kb_${ulid()}`, name, tags, createdAt: new Date().toISOString() };
      this.#connection
        .prepare<[object]>(
          `INSERT INTO knowledge_bases (id, bot, name, tags, created_at) VALUES (@id, @bot, @name, @tags, @createdAt)`,
        )
        .run({ ...made, bot: this.#bot, tags: JSON.stringify(tags) });
      return made;
    });
  }

  async update(
    id: string,
    { name, tags: changes }: Parameters<KnowledgeBases['update']>[1],
  ): Promise<KnowledgeBaseRecord | undefined> {
    return this.#connection.write(() => {
      const row = this.#row(id);
      if (!row) return undefined;
      const record = recordOf(row);
      const tags = changedTags(record.tags, changes);
      this.#connection
        .prepare(`UPDATE knowledge_bases SET name = ?, tags = ? WHERE bot = ? AND id = ?`)
        .run(name, JSON.stringify(tags), this.#bot, id);
      return { ...record, name, tags };
    });
  }

  async remove(id: string, tag: string): Promise<boolean> {
    return this.#connection.write(() => {
      const hasFiles = this.#connection
        .prepare<[number, string, string]>(
          `SELECT 1 FROM file_tags JOIN files ON number = file
           WHERE bot = ? AND file_tags.key = ? AND value = ? LIMIT 1`,
        )
        .get(this.#bot, tag, id);
      if (hasFiles) return false;
      this.#connection.prepare(`DELETE FROM knowledge_bases WHERE bot = ? AND id = ?`).run(this.#bot, id);
      return true;
    });
  }

  #row(id: string): Row | undefined {
    return this.#connection
      .prepare<[number, string], Row>(`SELECT ${COLUMNS} FROM knowledge_bases WHERE bot = ? AND id = ?`)
      .get(this.#bot, id);
  }
}

function recordOf({ id, name, tags, createdAt }: Row): KnowledgeBaseRecord {
  const part = `The row of the knowledge base ${name}`;
  return { id, name, tags: storedJson(tags, { shape: 'tags', part }), createdAt };
}
