import type { TokenRecord, Tokens } from '../../storage/accounts.js';
import type { Cluster } from '../connection/cluster.js';
import { Records } from '../records/records.js';
import { ACCOUNTS } from '../schema/collections.js';

interface TokenBody extends Omit<TokenRecord, 'hash'> {
  /** Hexadecimal. */
  readonly hash: string;
}

/** Access tokens in a cluster. */
export class WeaviateTokens implements Tokens {
  readonly #records: Records<TokenBody>;

  constructor(cluster: Cluster) {
    this.#records = new Records<TokenBody>(cluster, { collection: ACCOUNTS, kind: 'token' });
  }

  async list(workspaceId?: string): Promise<TokenRecord[]> {
    const bodies = await this.#records.list(workspaceId === undefined ? {} : { refs: [ofWorkspace(workspaceId)] });
    const placeOf = ({ createdAt, id }: TokenBody) => `${createdAt} ${id}`;
    return bodies.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)).map(tokenOf);
  }

  async find(id: string): Promise<TokenRecord | undefined> {
    const body = await this.#records.find(id);
    return body && tokenOf(body);
  }

  async create(token: Omit<TokenRecord, 'createdAt' | 'revokedAt'>): Promise<TokenRecord> {
    const created = { ...token, createdAt: new Date().toISOString() };
    await this.put(created);
    return created;
  }

  async revoke(id: string): Promise<TokenRecord | undefined> {
    const token = await this.find(id);
    if (!token || token.revokedAt !== undefined) return token;
    const revoked = { ...token, revokedAt: new Date().toISOString() };
    await this.put(revoked);
    return revoked;
  }

  async removeExpired(): Promise<void> {
    const now = new Date().toISOString();
    const all = await this.#records.list();
    const expired = all.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= now);
    await this.#records.remove(...expired.map(({ id }) => id));
  }

  /** Removes the tokens of a workspace. */
  async removeOf(workspaceId: string): Promise<void> {
    await this.#records.removeWith(ofWorkspace(workspaceId));
  }

  /** Inserts or replaces a token. */
  async put({ hash, ...token }: TokenRecord): Promise<void> {
    const body = { ...token, hash: Buffer.from(hash).toString('hex') };
    const stamp = Date.parse(token.createdAt);
    await this.#records.put({ id: token.id, body, refs: [ofWorkspace(token.workspaceId)], stamp });
  }
}

function ofWorkspace(id: string): string {
  return `in:${id}`;
}

function tokenOf({ hash, ...token }: TokenBody): TokenRecord {
  return { ...token, hash: Buffer.from(hash, 'hex') };
}
