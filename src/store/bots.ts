import { randomUUID } from 'node:crypto';
import { WaymarkError } from '../errors.js';
import type { Database } from './database.js';

/** Owns files. */
export interface BotRow {
  readonly number: number;
  readonly id: string;
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

/** Bots are made in this workspace unless told otherwise. */
const DEFAULT_WORKSPACE = 'default';

const BOT = `SELECT number, id, name, created_at AS createdAt, updated_at AS updatedAt, deployed_at AS deployedAt, model FROM bots`;

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

  /** By name or id. */
  find(nameOrId: string): BotRow | undefined {
    return this.#database
      .prepare<[string, string], BotRow>(`${BOT} WHERE name = ? OR id = ? ORDER BY number`)
      .get(nameOrId, nameOrId);
  }

  /** Throws `BOT_EXISTS`. */
  create(name: string): BotRow {
    const create = this.#database.transaction((): BotRow => {
      if (!this.find(name)) return this.#insert(name);
      const message = `There is a bot "${name}" already: use it with --bot, or choose another name.`;
      throw new WaymarkError('BOT_EXISTS', message);
    });
    return create.immediate();
  }

  /** The bot of that name, made where there is none: another process may make it at the same time. */
  ensure(name: string): BotRow {
    return this.#database.transaction((): BotRow => this.find(name) ?? this.#insert(name)).immediate();
  }

  #insert(name: string): BotRow {
    const now = new Date().toISOString();
    this.#database
      .prepare(`INSERT INTO workspaces (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING`)
      .run(randomUUID(), DEFAULT_WORKSPACE, now);
    return this.#database
      .prepare<[string, string, string, string, string], BotRow>(
        `INSERT INTO bots (id, workspace, name, created_at, updated_at)
         SELECT ?, id, ?, ?, ? FROM workspaces WHERE name = ?
         RETURNING number, id, name, created_at AS createdAt, updated_at AS updatedAt, deployed_at AS deployedAt, model`,
      )
      .get(randomUUID(), name, now, now, DEFAULT_WORKSPACE) as BotRow;
  }

  /** The model a bot's files are embedded with, once any was. */
  modelOf(bot: number): ModelRow | undefined {
    return this.#database
      .prepare<[number], ModelRow>(
        `SELECT models.* FROM models JOIN bots ON bots.model = models.number WHERE bots.number = ?`,
      )
      .get(bot);
  }

  /** Ties a bot to the model that embeds its files; the model's number. */
  setModel(bot: number, { card, location }: { card: Card; location: object | undefined }): number {
    const set = this.#database.transaction((): number => {
      const number = this.#database
        .prepare<[string, string, string | null, number], number>(
          `INSERT INTO models (fingerprint, name, source, dimensions) VALUES (?, ?, ?, ?)
           ON CONFLICT (fingerprint) DO UPDATE SET source = coalesce(excluded.source, source) RETURNING number`,
        )
        .pluck()
        .get(card.fingerprint, card.id, location ? JSON.stringify(location) : null, card.dimensions) as number;
      this.#database.prepare(`UPDATE bots SET model = ? WHERE number = ? AND model IS NOT ?`).run(number, bot, number);
      return number;
    });
    return set.immediate();
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
