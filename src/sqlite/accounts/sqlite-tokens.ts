import { hasCode } from '../../domain/errors.js';
import { type DamagedToken, ROLES, type TokenRecord, type Tokens } from '../../storage/accounts.js';
import { damagedPart } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';
import { storedJson } from '../connection/stored-json.js';
import { assertWorkspace } from './assert-workspace.js';

interface Row extends Omit<TokenRecord, 'bots' | 'expiresAt' | 'revokedAt'> {
  readonly bots: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

const TOKEN = `SELECT id, workspace AS workspaceId, name, hash, role, bots, created_at AS createdAt,
                      expires_at AS expiresAt, revoked_at AS revokedAt FROM tokens`;

/** The beginning of an ISO 8601 time. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Access tokens in SQLite. */
export class SqliteTokens implements Tokens {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async list(workspaceId?: string): Promise<(TokenRecord | DamagedToken)[]> {
    const workspace = workspaceId ?? null;
    return this.#connection
      .prepare<[string | null, string | null], Row>(`${TOKEN} WHERE ? IS NULL OR workspace = ? ORDER BY created_at, id`)
      .all(workspace, workspace)
      .map(tokenOrDamage);
  }

  async find(id: string): Promise<TokenRecord | undefined> {
    return this.#find(id);
  }

  async create(token: Omit<TokenRecord, 'createdAt' | 'revokedAt'>): Promise<TokenRecord> {
    const createdAt = new Date().toISOString();
    await this.#connection.write(() => {
      assertWorkspace(this.#connection, token.workspaceId);
      this.#connection
        .prepare(
          `INSERT INTO tokens (id, workspace, name, hash, role, bots, created_at, expires_at)
           VALUES (@id, @workspaceId, @name, @hash, @role, @bots, @createdAt, @expiresAt)`,
        )
        .run({ ...token, bots: JSON.stringify(token.bots), createdAt, expiresAt: token.expiresAt ?? null });
    });
    return { ...token, createdAt };
  }

  async revoke(id: string): Promise<TokenRecord | undefined> {
    return this.#connection.write(() => {
      this.#connection
        .prepare(`UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?`)
        .run(new Date().toISOString(), id);
      return this.#find(id);
    });
  }

  async removeExpired(): Promise<void> {
    const now = new Date().toISOString();
    const isAny = this.#connection.cached(`SELECT 1 FROM tokens WHERE expires_at <= ?`).get(now) !== undefined;
    if (isAny)
      await this.#connection.write(() => this.#connection.prepare(`DELETE FROM tokens WHERE expires_at <= ?`).run(now));
  }

  #find(id: string): TokenRecord | undefined {
    const row = this.#connection.cached<[string], Row>(`${TOKEN} WHERE id = ?`).get(id);
    return row && tokenOf(row);
  }
}

/** Whether a stored role is one of the known roles. */
export function isRole(role: unknown): boolean {
  return ROLES.some((known) => known === role);
}

/**
 * Whether a stored expiry is null or an ISO 8601 time. Any other text would compare as later than every time, so that
 * the token would never expire.
 */
export function isExpiry(expiresAt: unknown): boolean {
  if (expiresAt === null) return true;
  return typeof expiresAt === 'string' && TIME.test(expiresAt) && !Number.isNaN(Date.parse(expiresAt));
}

function tokenOf({ bots, expiresAt, revokedAt, ...token }: Row): TokenRecord {
  const part = `The row of the token ${token.name}`;
  if (!isRole(token.role) || !isExpiry(expiresAt)) throw damagedPart(part);
  return {
    ...token,
    bots: storedJson(bots, { shape: 'texts', part }),
    ...(expiresAt !== null && { expiresAt }),
    ...(revokedAt !== null && { revokedAt }),
  };
}

function tokenOrDamage(row: Row): TokenRecord | DamagedToken {
  try {
    return tokenOf(row);
  } catch (damage) {
    if (!hasCode(damage, 'DATABASE_DAMAGED')) throw damage;
    const { id, workspaceId, name } = row;
    return { id, workspaceId, name, isDamaged: true, damage };
  }
}
