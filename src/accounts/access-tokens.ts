import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { ListTokensOptions, Token } from '../contract/tokens.js';
import { shown } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import type { TokenRecord, Tokens } from '../storage/accounts.js';

/** A token's text: `wm_`, its id without dashes, `_`, and 256 random bits. */
const TOKEN = /^wm_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_[\w-]{43}$/;

/** Bytes of a SHA-256. */
const HASH_LENGTH = 32;

/** Creates and checks access tokens. Their text is shown once and stored as a hash. */
export class AccessTokens {
  readonly #tokens: Tokens;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  async create(
    options: Pick<Token, 'workspaceId' | 'name' | 'role' | 'bots' | 'expiresAt'>,
  ): Promise<Token & { token: string }> {
    // The row is found by the id: an index lookup by the secret would leak parts of it through its timing.
    const id = randomUUID();
    const token = `wm_${id.replaceAll('-', '')}_${randomBytes(32).toString('base64url')}`;
    return { ...tokenOf(await this.#tokens.create({ ...options, id, hash: hashOf(token) })), token };
  }

  /** The token with this text; undefined if there is none, or it is revoked or expired. Compares in constant time. */
  async authenticate(text: string | undefined): Promise<Token | undefined> {
    if (typeof text !== 'string') return undefined;
    const [, ...groups] = TOKEN.exec(text) ?? [];
    const record = await this.#tokens.find(groups.join('-'));
    const matches = timingSafeEqual(record?.hash ?? Buffer.alloc(HASH_LENGTH), hashOf(text));
    if (!record || !matches || record.revokedAt !== undefined) return undefined;
    if (record.expiresAt !== undefined && record.expiresAt <= new Date().toISOString()) return undefined;
    return tokenOf(record);
  }

  /** Oldest first. Defaults to the tokens of all workspaces. Throws `DATABASE_DAMAGED` without `onDamaged`. */
  async list(workspaceId: string | undefined, { onDamaged }: ListTokensOptions): Promise<Token[]> {
    const tokens: Token[] = [];
    for (const token of await this.#tokens.list(workspaceId)) {
      if (!('isDamaged' in token)) tokens.push(tokenOf(token));
      else if (onDamaged) onDamaged(token.damage);
      else throw token.damage;
    }
    return tokens;
  }

  /** Throws `TOKEN_MISSING`. */
  async revoke(id: string): Promise<Token> {
    const revoked = await this.#tokens.revoke(id);
    if (revoked) return tokenOf(revoked);
    throw new WaymarkError(
      'TOKEN_MISSING',
      `There is no token with the id ${shown(id)}: list them with: waymark token list`,
    );
  }
}

function tokenOf({ hash: _, ...token }: TokenRecord): Token {
  return token;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
