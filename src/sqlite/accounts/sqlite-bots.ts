import { randomUUID } from 'node:crypto';
import { WaymarkError } from '../../domain/errors.js';
import type { BotRecord, Bots, Page, PageRequest } from '../../storage/accounts.js';
import type { Connection } from '../connection/connection.js';
import { type Paged, pageOf } from '../connection/page.js';
import { PENDING } from '../files/pending.js';

/** A bot with its row number, which stays inside `sqlite/`. */
export interface BotRow extends BotRecord {
  readonly number: number;
}

/** The workspace of bots that are created without one. */
const DEFAULT_WORKSPACE = 'default';

const COLUMNS = `number, id, workspace, name,
  created_at AS createdAt, updated_at AS updatedAt, deployed_at AS deployedAt`;
const BOT = `SELECT ${COLUMNS} FROM bots`;

/** Bots in SQLite. */
export class SqliteBots implements Bots {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async page(filter: Parameters<Bots['page']>[0], page: PageRequest): Promise<Page<BotRecord>> {
    const { workspace, only, sortField } = filter;
    const { items, ...rest } = pageOf<BotRow & Paged>(
      this.#connection,
      {
        select: COLUMNS,
        from: `bots WHERE workspace = coalesce(?, workspace)
               AND (? = 0 OR bots.id IN (SELECT value FROM json_each(?)))`,
        sort: sortField === 'createdAt' ? 'created_at' : 'updated_at',
        number: 'bots.number',
        parameters: [workspace ?? null, only.length, JSON.stringify(only)],
      },
      page,
    );
    return { items: items.map(recordOf), ...rest };
  }

  async find(idOrName: string, workspace?: string): Promise<BotRecord | undefined> {
    const row = this.#find(idOrName, workspace);
    return row && recordOf(row);
  }

  async create(name: string, workspace?: string): Promise<BotRecord> {
    return this.#connection.write(() => {
      const owner = workspace ?? this.#defaultWorkspace();
      if (this.#named(name, owner)) throw exists(name);
      return recordOf(this.#insert(name, owner));
    });
  }

  async ensure(name: string): Promise<BotRecord> {
    // Another process may create it at this moment.
    return this.#connection.write(() => recordOf(this.#find(name) ?? this.#insert(name, this.#defaultWorkspace())));
  }

  async rename(bot: BotRecord, name: string): Promise<BotRecord> {
    return this.#connection.write(() => {
      const other = this.#named(name, bot.workspace);
      if (other && other.id !== bot.id) throw exists(name);
      const updatedAt = new Date().toISOString();
      this.#connection.prepare(`UPDATE bots SET name = ?, updated_at = ? WHERE id = ?`).run(name, updatedAt, bot.id);
      return { ...bot, name, updatedAt };
    });
  }

  async remove(id: string): Promise<void> {
    await this.#connection.write(() => {
      const bot = this.#find(id);
      if (!bot) return;
      // Deleted by the next compaction, unless another bot shares them.
      this.#connection
        .prepare<[number]>(
          `INSERT INTO unused SELECT DISTINCT embedding FROM passages JOIN files ON files.number = file WHERE bot = ?
           ON CONFLICT DO NOTHING`,
        )
        .run(bot.number);
      this.#connection.exec(`DROP TABLE IF EXISTS postings_${bot.number}`);
      this.#connection.prepare(`DELETE FROM changes WHERE bot = ?`).run(bot.number);
      this.#connection.prepare(`DELETE FROM bots WHERE number = ?`).run(bot.number);
    });
  }

  async withPendingFiles(): Promise<BotRecord[]> {
    return this.#connection
      .prepare<[], BotRow>(`${BOT} WHERE number IN (SELECT bot FROM files WHERE ${PENDING})`)
      .all()
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
    throw new WaymarkError('BOT_MISSING', `The bot with the id ${id} was deleted: choose another bot.`);
  }

  /** By id, or by name if none has that id: a name may be the id of another. */
  #find(idOrName: string, workspace?: string): BotRow | undefined {
    return this.#connection
      .cached<unknown[], BotRow>(
        `${BOT} WHERE (name = ? OR id = ?) AND workspace = coalesce(?, workspace) ORDER BY id = ? DESC, number`,
      )
      .get(idOrName, idOrName, workspace ?? null, idOrName);
  }

  #named(name: string, workspace: string): BotRow | undefined {
    return this.#connection
      .prepare<[string, string], BotRow>(`${BOT} WHERE name = ? AND workspace = ?`)
      .get(name, workspace);
  }

  #defaultWorkspace(): string {
    this.#connection
      .prepare(`INSERT INTO workspaces (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING`)
      .run(randomUUID(), DEFAULT_WORKSPACE, new Date().toISOString());
    return this.#connection
      .prepare<[string], string>(`SELECT id FROM workspaces WHERE name = ?`)
      .pluck()
      .get(DEFAULT_WORKSPACE) as string;
  }

  #insert(name: string, workspace: string): BotRow {
    const now = new Date().toISOString();
    return this.#connection
      .prepare<[string, string, string, string, string], BotRow>(
        `INSERT INTO bots (id, workspace, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
      )
      .get(randomUUID(), workspace, name, now, now) as BotRow;
  }
}

function recordOf({ id, workspace, name, createdAt, updatedAt, deployedAt }: BotRow): BotRecord {
  return { id, workspace, name, createdAt, updatedAt, deployedAt };
}

function exists(name: string): WaymarkError {
  const message = `A bot named "${name}" already exists: use it with --bot, or choose another name.`;
  return new WaymarkError('BOT_EXISTS', message);
}
