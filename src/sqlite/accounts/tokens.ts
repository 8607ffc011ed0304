import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Token } from '../../contract/tokens.js';
import { WaymarkError } from '../../domain/errors.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/prepared.js';

interface Row extends Omit<Token, 'bots' | 'expiresAt' | 'revokedAt'> {
  readonly bots: string;
  readonly hash: Buffer;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

const TOKEN = `SELECT id, workspace AS workspaceId, name, hash, role, bots, created_at AS createdAt,
                      expires_at AS expiresAt, revoked_at AS revokedAt FROM tokens`;

/** What callers say to prove who they are: random, shown once, stored as a hash. */
export class Tokens {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  create(options: Pick<Token, 'workspaceId' | 'name' | 'role' | 'bots' | 'expiresAt'>): Token & { token: string } {
    // The first half finds the row, the second proves it: nothing of the proof is compared by an index.
    const id = randomUUID();
    const token = `wm_${id.replaceAll('-', '')}_${randomBytes(32).toString('base64url')}`;
    this.#database
      .prepare(
        `INSERT INTO tokens (id, workspace, name, hash, role, bots, created_at, expires_at)
         VALUES (@id, @workspaceId, @name, @hash, @role, @bots, @createdAt, @expiresAt)`,
      )
      .run({
        id,
        workspaceId: options.workspaceId,
        name: options.name,
        hash: hashOf(token),
        role: options.role,
        bots: JSON.stringify(options.bots),
        createdAt: new Date().toISOString(),
        expiresAt: options.expiresAt ?? null,
      });
    return { ...this.#get(id), token };
  }

  /** The token that a text is; undefined for one that is unknown, revoked or expired. In constant time. */
  authenticate(token: string): Token | undefined {
    const [, hex = ''] = /^wm_([0-9a-f]{32})_[\w-]{43}$/.exec(token) ?? [];
    const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const row = prepared<[string], Row>(this.#database, `${TOKEN} WHERE id = ?`).get(id);
    const hash = hashOf(token);
    const right = timingSafeEqual(row?.hash ?? Buffer.alloc(hash.length), hash);
    if (!row || !right || row.revokedAt !== null) return undefined;
    if (row.expiresAt !== null && row.expiresAt <= new Date().toISOString()) return undefined;
    return tokenOf(row);
  }

  /** Oldest first; of one workspace where that is named. */
  list(workspaceId?: string): Token[] {
    return this.#database
      .prepare<[string | null, string | null], Row>(`${TOKEN} WHERE ? IS NULL OR workspace = ? ORDER BY created_at, id`)
      .all(workspaceId ?? null, workspaceId ?? null)
      .map(tokenOf);
  }

  /** Throws `TOKEN_MISSING`. */
  revoke(id: string): Token {
    this.#database
      .prepare(`UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?`)
      .run(new Date().toISOString(), id);
    return this.#get(id);
  }

  #get(id: string): Token {
    const row = this.#database.prepare<[string], Row>(`${TOKEN} WHERE id = ?`).get(id);
    if (row) return tokenOf(row);
    throw new WaymarkError('TOKEN_MISSING', `There is no token of the id "${id}": waymark token list tells them.`);
  }
}

function tokenOf({ hash: _, bots, expiresAt, revokedAt, ...token }: Row): Token {
  return {
    ...token,
    bots: JSON.parse(bots),
    ...(expiresAt !== null && { expiresAt }),
    ...(revokedAt !== null && { revokedAt }),
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
