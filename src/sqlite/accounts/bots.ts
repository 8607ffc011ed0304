import { randomUUID } from 'node:crypto';
import { WaymarkError } from '../../domain/errors.js';
import type { Database } from '../connection/database.js';
import { type PageOptions, pageOf } from '../connection/page.js';
import { prepared } from '../connection/prepared.js';

/** Owns files. */
export interface BotRow {
  readonly number: number;
  readonly id: string;
  readonly workspace: string;
  readonly name: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deployedAt: string | null;
  readonly model: number | null;
}

/** A model as the index remembers it. */
export interface ModelRow {
  readonly number: number;
  readonly fingerprint: string;
  readonly name: string;
  /** What it was opened by, as JSON; null for an embedder that was given as an object. */
  readonly source: string | null;
  readonly dimensions: number;
}

/** The part of a model card that is remembered. */
interface Card {
  readonly id: string;
  readonly fingerprint: string;
  readonly dimensions: number;
}

export interface ModelToRecord {
  readonly card: Card;
  /** What to open it by again; undefined for an embedder that was given as an object. */
  readonly location: object | undefined;
}

/** Bots are made in this workspace unless told otherwise. */
const DEFAULT_WORKSPACE = 'default';

const BOT_COLUMNS = `number, id, workspace, name, created_at AS createdAt, updated_at AS updatedAt, deployed_at AS deployedAt, model`;
const BOT = `SELECT ${BOT_COLUMNS} FROM bots`;

/** Workspaces, bots and the models their files are embedded with. */
export class Bots {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In the order in which they were made. */
  list(): BotRow[] {
    return this.#database.prepare<[], BotRow>(`${BOT} ORDER BY number`).all();
  }

  /** A page of a workspace's bots, or of all; only of some where their ids are given. */
  page(
    {
      workspace,
      only,
      sortField,
    }: { workspace: string | undefined; only: readonly string[]; sortField: 'createdAt' | 'updatedAt' },
    options: PageOptions,
  ): { rows: BotRow[]; nextToken?: string } {
    return pageOf<BotRow & { sorted: string }>(
      this.#database,
      {
        select: BOT_COLUMNS,
        from: `bots WHERE workspace = coalesce(?, workspace)
               AND (? = 0 OR bots.id IN (SELECT value FROM json_each(?)))`,
        sort: sortField === 'createdAt' ? 'created_at' : 'updated_at',
        number: 'bots.number',
        parameters: [workspace ?? null, only.length, JSON.stringify(only)],
      },
      options,
    );
  }

  get(number: number): BotRow {
    const row = this.#database.prepare<[number], BotRow>(`${BOT} WHERE number = ?`).get(number);
    if (!row) throw new RangeError('the bot is gone');
    return row;
  }

  /** Those with files that wait to be indexed. */
  withPending(): BotRow[] {
    return this.#database
      .prepare<[], BotRow>(`${BOT} WHERE number IN (SELECT bot FROM files WHERE status = 'indexing_pending')`)
      .all();
  }

  /** By id, or by name where none has that id: a name may be another's id. Of one workspace where that is named. */
  find(nameOrId: string, workspace?: string): BotRow | undefined {
    return prepared<unknown[], BotRow>(
      this.#database,
      `${BOT} WHERE (name = ? OR id = ?) AND workspace = coalesce(?, workspace)
       ORDER BY id = ? DESC, number`,
    ).get(nameOrId, nameOrId, workspace ?? null, nameOrId);
  }

  /** In the default workspace unless another is named. Throws `BOT_EXISTS`. */
  create(name: string, workspace?: string): BotRow {
    const create = this.#database.transaction((): BotRow => {
      const owner = workspace ?? this.#defaultWorkspace();
      if (!this.#named(name, owner)) return this.#insert(name, owner);
      throw exists(name);
    });
    return create.immediate();
  }

  /** The bot of that name in the default workspace, made where there is none: another process may make it just now. */
  ensure(name: string): BotRow {
    const ensure = this.#database.transaction(
      (): BotRow => this.find(name) ?? this.#insert(name, this.#defaultWorkspace()),
    );
    return ensure.immediate();
  }

  /** Throws `BOT_EXISTS`. */
  rename(bot: BotRow, name: string): BotRow {
    const rename = this.#database.transaction((): BotRow => {
      const other = this.#named(name, bot.workspace);
      if (other && other.number !== bot.number) throw exists(name);
      const now = new Date().toISOString();
      this.#database.prepare(`UPDATE bots SET name = ?, updated_at = ? WHERE number = ?`).run(name, now, bot.number);
      return { ...bot, name, updatedAt: now };
    });
    return rename.immediate();
  }

  /** Removes a bot's row, and with it its files; what hangs on those is to be removed before. */
  remove(bot: number): void {
    const remove = this.#database.transaction(() => {
      this.#database.exec(`DROP TABLE IF EXISTS postings_${bot}`);
      this.#database.prepare(`DELETE FROM changes WHERE bot = ?`).run(bot);
      this.#database.prepare(`DELETE FROM bots WHERE number = ?`).run(bot);
    });
    remove.immediate();
  }

  #named(name: string, workspace: string): BotRow | undefined {
    return this.#database
      .prepare<[string, string], BotRow>(`${BOT} WHERE name = ? AND workspace = ?`)
      .get(name, workspace);
  }

  #defaultWorkspace(): string {
    this.#database
      .prepare(`INSERT INTO workspaces (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING`)
      .run(randomUUID(), DEFAULT_WORKSPACE, new Date().toISOString());
    return this.#database
      .prepare<[string], string>(`SELECT id FROM workspaces WHERE name = ?`)
      .pluck()
      .get(DEFAULT_WORKSPACE) as string;
  }

  #insert(name: string, workspace: string): BotRow {
    const now = new Date().toISOString();
    return this.#database
      .prepare<[string, string, string, string, string], BotRow>(
        `INSERT INTO bots (id, workspace, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?) RETURNING ${BOT_COLUMNS}`,
      )
      .get(randomUUID(), workspace, name, now, now) as BotRow;
  }

  /** The model a bot's files are embedded with, once any was. */
  modelOf(bot: number): ModelRow | undefined {
    return prepared<[number], ModelRow>(
      this.#database,
      `SELECT models.* FROM models JOIN bots ON bots.model = models.number WHERE bots.number = ?`,
    ).get(bot);
  }

  /** Ties a bot to the model that embeds its files; the model's number. Throws `MODEL_MISMATCH` where another has. */
  setModel(bot: number, model: ModelToRecord): number {
    const source = model.location ? JSON.stringify(model.location) : null;
    const known = this.modelOf(bot);
    // Where nothing changes nothing is written: a database that may only be read can be searched.
    if (known?.fingerprint === model.card.fingerprint && (source ?? known.source) === known.source) return known.number;
    const set = this.#database.transaction((): number => {
      const recorded = this.modelOf(bot);
      if (recorded && recorded.fingerprint !== model.card.fingerprint && this.#hasFiles(bot)) {
        throw mismatch({ bot: this.get(bot), recorded, card: model.card });
      }
      const number = this.recordModel(model);
      this.#database.prepare(`UPDATE bots SET model = ? WHERE number = ? AND model IS NOT ?`).run(number, bot, number);
      return number;
    });
    return set.immediate();
  }

  /** The number of a model, known from now on. */
  recordModel({ card, location }: ModelToRecord): number {
    return this.#database
      .prepare<[string, string, string | null, number], number>(
        `INSERT INTO models (fingerprint, name, source, dimensions) VALUES (?, ?, ?, ?)
         ON CONFLICT (fingerprint) DO UPDATE SET source = coalesce(excluded.source, source) RETURNING number`,
      )
      .pluck()
      .get(card.fingerprint, card.id, location ? JSON.stringify(location) : null, card.dimensions) as number;
  }

  #hasFiles(bot: number): boolean {
    return this.#database.prepare(`SELECT 1 FROM files WHERE bot = ?`).get(bot) !== undefined;
  }

  /** What was measured of a model's cosines; undefined until then. */
  similarityOf(model: number): { unrelated: number; related: number } | undefined {
    const row = this.#database
      .prepare<[number], { unrelated: number | null; related: number | null }>(
        `SELECT unrelated, related FROM models WHERE number = ?`,
      )
      .get(model);
    if (!row || row.unrelated === null || row.related === null) return undefined;
    return { unrelated: row.unrelated, related: row.related };
  }

  setSimilarity(model: number, { unrelated, related }: { unrelated: number; related: number }): void {
    this.#database
      .prepare(`UPDATE models SET unrelated = ?, related = ? WHERE number = ?`)
      .run(unrelated, related, model);
  }

  /** Records that a bot's files are indexed completely, as of now. */
  deployed(bot: number): void {
    const now = new Date().toISOString();
    this.#database.prepare(`UPDATE bots SET deployed_at = ?, updated_at = ? WHERE number = ?`).run(now, now, bot);
  }
}

function exists(name: string): WaymarkError {
  return new WaymarkError('BOT_EXISTS', `There is a bot "${name}" already: use it with --bot, or choose another name.`);
}

function mismatch({ bot, recorded, card }: { bot: BotRow; recorded: ModelRow; card: Card }): WaymarkError {
  const same = recorded.name === card.id;
  // The same name for other weights, another tokenizer or another runtime: the fingerprints tell them apart.
  const name = (id: string, fingerprint: string) => (same ? `${id} (${fingerprint.slice(0, 12)})` : id);
  const remedy = recorded.source === null ? 'open it with that embedder' : 'leave the model out';
  const before = name(recorded.name, recorded.fingerprint);
  return new WaymarkError(
    'MODEL_MISMATCH',
    `The files of bot "${bot.name}" were embedded with ${before}, not with this ${name(card.id, card.fingerprint)}: ${remedy}, index into another bot, or embed them anew with waymark index --reembed.`,
  );
}
