import type { BotRecord, TokenRecord, WorkspaceRecord } from '../../storage/accounts.js';
import type { CopiedModel, Copies, FileCopies } from '../../storage/copies.js';
import { botExists, workspaceExists } from '../../storage/failures.js';
import type { KnowledgeBaseRecord } from '../../storage/knowledge-bases.js';
import { putSigningKey } from '../accounts/signing-key.js';
import { nextBotNumber, type SqliteBots } from '../accounts/sqlite-bots.js';
import type { Connection } from '../connection/connection.js';
import type { SqlitePassageStore } from '../passages/sqlite-passage-store.js';
import { SqliteFileCopies } from './sqlite-file-copies.js';

/** The parts of `sqlite/` that copies need. */
export interface SqliteCopiesParts {
  readonly bots: SqliteBots;
  readonly passages: (botId: string, model: CopiedModel) => Promise<SqlitePassageStore>;
}

/** Copies in SQLite. */
export class SqliteCopies implements Copies {
  readonly #connection: Connection;
  readonly #parts: SqliteCopiesParts;

  constructor(connection: Connection, parts: SqliteCopiesParts) {
    this.#connection = connection;
    this.#parts = parts;
  }

  async putWorkspace(workspace: WorkspaceRecord): Promise<void> {
    const { id, name } = workspace;
    await this.#connection.write(() => {
      const other = this.#connection.prepare(`SELECT 1 FROM workspaces WHERE name = ? AND id <> ?`).get(name, id);
      if (other) throw workspaceExists(name);
      this.#connection
        .prepare<[object]>(
          `INSERT INTO workspaces (id, name, created_at, updated_at) VALUES (@id, @name, @createdAt, @updatedAt)
           ON CONFLICT (id) DO UPDATE SET
             name = excluded.name, created_at = excluded.created_at, updated_at = excluded.updated_at`,
        )
        .run(workspace);
    });
  }

  async putBot(bot: BotRecord): Promise<void> {
    const { id, name, workspace, tags } = bot;
    await this.#connection.write(() => {
      const other = this.#connection
        .prepare(`SELECT 1 FROM bots WHERE name = ? AND workspace = ? AND id <> ?`)
        .get(name, workspace, id);
      if (other) throw botExists(name);
      const isKnown = this.#connection.prepare(`SELECT 1 FROM bots WHERE id = ?`).get(id) !== undefined;
      // A known bot keeps its number.
      const number = isKnown ? null : nextBotNumber(this.#connection);
      this.#connection
        .prepare<[object]>(
          `INSERT INTO bots (number, id, workspace, name, tags, created_at, updated_at, deployed_at)
           VALUES (@number, @id, @workspace, @name, @tags, @createdAt, @updatedAt, @deployedAt)
           ON CONFLICT (id) DO UPDATE SET
             workspace = excluded.workspace, name = excluded.name, tags = excluded.tags,
             created_at = excluded.created_at, updated_at = excluded.updated_at, deployed_at = excluded.deployed_at`,
        )
        .run({ ...bot, number, tags: JSON.stringify(tags) });
    });
  }

  async putToken(token: TokenRecord): Promise<void> {
    const { bots, expiresAt = null, revokedAt = null } = token;
    await this.#connection.write(() =>
      this.#connection
        .prepare<[object]>(
          `INSERT OR REPLACE INTO tokens (id, workspace, name, hash, role, bots, created_at, expires_at, revoked_at)
           VALUES (@id, @workspaceId, @name, @hash, @role, @bots, @createdAt, @expiresAt, @revokedAt)`,
        )
        .run({ ...token, bots: JSON.stringify(bots), expiresAt, revokedAt }),
    );
  }

  async putKnowledgeBase(botId: string, base: KnowledgeBaseRecord): Promise<void> {
    await this.#connection.write(() => {
      const { number: bot } = this.#parts.bots.row(botId);
      this.#connection
        .prepare<[object]>(
          `INSERT INTO knowledge_bases (id, bot, name, tags, created_at) VALUES (@id, @bot, @name, @tags, @createdAt)
           ON CONFLICT (id) DO UPDATE SET
             bot = excluded.bot, name = excluded.name, tags = excluded.tags, created_at = excluded.created_at`,
        )
        .run({ ...base, bot, tags: JSON.stringify(base.tags) });
    });
  }

  async putSigningKey(key: Uint8Array): Promise<void> {
    await this.#connection.write(() => putSigningKey(this.#connection, key));
  }

  async files(botId: string, model: CopiedModel | undefined): Promise<FileCopies> {
    const { number: bot } = this.#parts.bots.row(botId);
    const passages = model && (await this.#parts.passages(botId, model));
    return new SqliteFileCopies(this.#connection, { bot, passages });
  }
}
