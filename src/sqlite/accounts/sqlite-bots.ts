import { randomUUID } from 'node:crypto';
import { changedTags } from '../../domain/description.js';
import type { Tags } from '../../domain/passage.js';
import { type BotRecord, type Bots, DEFAULT_WORKSPACE } from '../../storage/accounts.js';
import { ambiguousBot, botExists, missingBot } from '../../storage/failures.js';
import type { Page, PageRequest } from '../../storage/page.js';
import type { Connection } from '../connection/connection.js';
import { type Paged, pageOf } from '../connection/page.js';
import { storedJson } from '../connection/stored-json.js';
import { EXPIRED, PENDING } from '../files/file-conditions.js';
import { tagCondition, tagsIn } from '../files/tag-condition.js';
import { postingTable } from '../postings/posting-table.js';
import { assertWorkspace } from './assert-workspace.js';

/** A bot with its row number, which stays inside `sqlite/`. */
export interface BotRow extends Omit<BotRecord, 'tags'> {
  readonly number: number;
  /** A JSON object. */
  readonly tags: string;
}

const COLUMNS = `number, id, workspace, name, tags,
  created_at AS createdAt, updated_at AS updatedAt, deployed_at AS deployedAt`;
const BOT = `SELECT ${COLUMNS} FROM bots`;

/**
 * A condition with two parameters: the number of ids, and the ids as a JSON list. Without ids, it holds for every bot.
 */
const AMONG = `(? = 0 OR bots.id IN (SELECT value FROM json_each(?)))`;

/** Bots in SQLite. */
export class SqliteBots implements Bots {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async page(filter: Parameters<Bots['page']>[0], page: PageRequest): Promise<Page<BotRecord>> {
    const { workspace, only, sortField } = filter;
    const tags = tagCondition(filter.tags, tagsIn('bots.tags'));
    const { items, ...rest } = pageOf<BotRow & Paged>(
      this.#connection,
      {
        select: COLUMNS,
        from: `bots WHERE workspace = coalesce(?, workspace) AND ${AMONG} AND ${tags.sql}`,
        sort: sortField === 'createdAt' ? 'bots.created_at' : 'bots.updated_at',
        number: 'bots.number',
        parameters: [workspace ?? null, only.length, JSON.stringify(only), ...tags.parameters],
      },
      page,
    );
    return { items: items.map(({ sorted: _, ...row }) => recordOf(row)), ...rest };
  }

  async count(workspace: string, only: readonly string[]): Promise<number> {
    return this.#connection
      .prepare<unknown[], number>(`SELECT count(*) FROM bots WHERE workspace = ? AND ${AMONG}`)
      .pluck()
      .get(workspace, only.length, JSON.stringify(only)) as number;
  }

  async find(idOrName: string, workspace?: string): Promise<BotRecord | undefined> {
    const row = this.#find(idOrName, workspace);
    return row && recordOf(row);
  }

  async withId(id: string): Promise<BotRecord | undefined> {
    const row = this.#connection.cached<[string], BotRow>(`${BOT} WHERE id = ?`).get(id);
    return row && recordOf(row);
  }

  async create({ name, tags, workspace }: Parameters<Bots['create']>[0]): Promise<BotRecord> {
    return this.#connection.write(() => {
      const owner = workspace ?? this.#defaultWorkspace();
      assertWorkspace(this.#connection, owner);
      if (name !== undefined && this.#named(name, owner)) throw botExists(name);
      return recordOf(this.#insert({ name, tags, workspace: owner }));
    });
  }

  async ensure(name: string): Promise<BotRecord> {
    // Another process may create it at this moment.
    return this.#connection.write(() => {
      const found = this.#find(name);
      return recordOf(found ?? this.#insert({ name, tags: {}, workspace: this.#defaultWorkspace() }));
    });
  }

  async update(id: string, changes: Parameters<Bots['update']>[1]): Promise<BotRecord> {
    return this.#connection.write(() => {
      const bot = this.row(id);
      const { name = bot.name } = changes;
      const other = this.#named(name, bot.workspace);
      if (other && other.id !== bot.id) throw botExists(name);
      const tags = changedTags(recordOf(bot).tags, changes.tags);
      this.#connection
        .prepare(`UPDATE bots SET name = ?, tags = ?, updated_at = ? WHERE id = ?`)
        .run(name, JSON.stringify(tags), new Date().toISOString(), id);
      return recordOf(this.row(id));
    });
  }

  async remove(id: string): Promise<void> {
    await this.#connection.write(() => {
      const bot = this.#find(id);
      // Not the bot of that name, if this one was removed meanwhile.
      if (bot?.id !== id) return;
      // Deleted by the next compaction, unless another bot shares them.
      this.#connection
        .prepare<[number]>(
          `INSERT INTO unused SELECT DISTINCT embedding FROM passages JOIN files ON files.number = file WHERE bot = ?
           ON CONFLICT DO NOTHING`,
        )
        .run(bot.number);
      this.#connection.exec(`DROP TABLE IF EXISTS ${postingTable(bot.number)}`);
      this.#connection.prepare(`DELETE FROM changes WHERE bot = ?`).run(bot.number);
      this.#connection.prepare(`DELETE FROM bots WHERE number = ?`).run(bot.number);
    });
  }

  async ofFile(id: string): Promise<BotRecord | undefined> {
    const row = this.#connection
      .cached<[string], BotRow>(`${BOT} WHERE number = (SELECT bot FROM files WHERE files.id = ?)`)
      .get(id);
    return row && recordOf(row);
  }

  async withPendingFiles(): Promise<BotRecord[]> {
    return this.#connection
      .prepare<[], BotRow>(`${BOT} WHERE number IN (SELECT bot FROM files WHERE ${PENDING})`)
      .all()
      .map(recordOf);
  }

  async ofEachModel(): Promise<BotRecord[]> {
    return this.#connection
      .prepare<[], BotRow>(
        `${BOT} WHERE number IN (
           SELECT min(number) FROM bots WHERE number IN (SELECT bot FROM files) AND model IS NOT NULL GROUP BY model)`,
      )
      .all()
      .map(recordOf);
  }

  async withExpiredFiles(): Promise<BotRecord[]> {
    return this.#connection
      .prepare<[string], BotRow>(`${BOT} WHERE number IN (SELECT bot FROM files WHERE ${EXPIRED})`)
      .all(new Date().toISOString())
      .map(recordOf);
  }

  async markIndexed(id: string): Promise<void> {
    const now = new Date().toISOString();
    await this.#connection.write(() =>
      this.#connection.prepare(`UPDATE bots SET deployed_at = ?, updated_at = ? WHERE id = ?`).run(now, now, id),
    );
  }

  /** All bots, in the order in which they were created. */
  rows(): BotRow[] {
    return this.#connection.prepare<[], BotRow>(`${BOT} ORDER BY number`).all();
  }

  /** The row of a bot. Throws `BOT_MISSING`. */
  row(id: string): BotRow {
    const row = this.#find(id);
    if (row?.id === id) return row;
    throw missingBot(id);
  }

  /** By id, or by name if no bot has that id: the name of one bot may be the id of another. Throws `BOT_AMBIGUOUS`. */
  #find(idOrName: string, workspace?: string): BotRow | undefined {
    const [found, ...others] = this.#connection
      .cached<unknown[], BotRow>(
        `${BOT} WHERE (name = ? OR id = ?) AND workspace = coalesce(?, workspace) ORDER BY id = ? DESC, number`,
      )
      .all(idOrName, idOrName, workspace ?? null, idOrName);
    if (!found || found.id === idOrName || others.length === 0) return found;
    const candidates = [found, ...others].map((bot) => ({ id: bot.id, workspace: this.#workspaceName(bot) }));
    throw ambiguousBot(idOrName, candidates);
  }

  #workspaceName({ workspace }: BotRow): string | undefined {
    return this.#connection
      .prepare<[string], string>(`SELECT name FROM workspaces WHERE id = ?`)
      .pluck()
      .get(workspace);
  }

  #named(name: string, workspace: string): BotRow | undefined {
    return this.#connection
      .prepare<[string, string], BotRow>(`${BOT} WHERE name = ? AND workspace = ?`)
      .get(name, workspace);
  }

  #defaultWorkspace(): string {
    this.#connection
      .prepare(
        `INSERT INTO workspaces (id, name, created_at, updated_at) VALUES (@id, @name, @now, @now)
         ON CONFLICT (name) DO NOTHING`,
      )
      .run({ id: randomUUID(), name: DEFAULT_WORKSPACE, now: new Date().toISOString() });
    return this.#connection
      .prepare<[string], string>(`SELECT id FROM workspaces WHERE name = ?`)
      .pluck()
      .get(DEFAULT_WORKSPACE) as string;
  }

  #insert({ name, tags, workspace }: { name: string | undefined; tags: Tags; workspace: string }): BotRow {
    const [id, now] = [randomUUID(), new Date().toISOString()];
    return this.#connection
      .prepare<[object], BotRow>(
        `INSERT INTO bots (number, id, workspace, name, tags, created_at, updated_at)
         VALUES (@number, @id, @workspace, @name, @tags, @now, @now) RETURNING ${COLUMNS}`,
      )
      .get({
        number: nextBotNumber(this.#connection),
        id,
        workspace,
        name: name ?? id,
        tags: JSON.stringify(tags),
        now,
      }) as BotRow;
  }
}

/** A row number that no bot has had. Needs a transaction. */
export function nextBotNumber(connection: Connection): number {
  return connection
    .prepare<[], number>(
      `INSERT INTO bot_numbers
       SELECT coalesce(max(number), 0) + 1 FROM (SELECT number FROM bots UNION ALL SELECT number FROM bot_numbers)
       RETURNING number`,
    )
    .pluck()
    .get() as number;
}

function recordOf({ number: _, tags, ...bot }: BotRow): BotRecord {
  return { ...bot, tags: storedJson(tags, { shape: 'tags', part: `The row of the bot ${bot.name}` }) };
}
