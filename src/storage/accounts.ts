import type { WaymarkError } from '../domain/errors.js';
import type { TagFilter } from '../domain/filters/tag-filter.js';
import type { Tags } from '../domain/passage.js';
import type { Page, PageRequest } from './page.js';

/** A workspace; it owns bots. */
export interface WorkspaceRecord {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** The name of the workspace of bots that are created without one; it is created with the first of them. */
export const DEFAULT_WORKSPACE = 'default';

/** A bot; it owns files. */
export interface BotRecord {
  /** A UUID. */
  readonly id: string;
  /** The id of its workspace. */
  readonly workspace: string;
  readonly name: string;
  readonly tags: Tags;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** ISO 8601: the last time that all of its files were indexed; null if never. */
  readonly deployedAt: string | null;
}

/** The roles of tokens, from most permissions to fewest. */
export const ROLES = ['admin', 'member', 'search'] as const;

/** What a token permits. `admin`: all operations; `member`: those on files; `search`: searching and reading files. */
export type Role = (typeof ROLES)[number];

/** An access token as it is stored: only the hash of its secret is kept. */
export interface TokenRecord {
  /** A UUID. */
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly role: Role;
  /** Ids of the bots that it gives access to; empty for all bots of the workspace. */
  readonly bots: readonly string[];
  /** SHA-256 of the token. */
  readonly hash: Uint8Array;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** ISO 8601. */
  readonly revokedAt?: string;
}

/** A token whose row cannot be read. It gives access to nothing. */
export interface DamagedToken extends Pick<TokenRecord, 'id' | 'workspaceId' | 'name'> {
  readonly isDamaged: true;
  /** Says which token it is, and what to do. */
  readonly damage: WaymarkError;
}

/** The workspaces of a storage. */
export interface Workspaces {
  /** Oldest first. */
  list(): Promise<readonly WorkspaceRecord[]>;
  /** A page of workspaces, in the order of their creation. `id` limits it to one. */
  page(page: PageRequest & { readonly id: string | undefined }): Promise<Page<WorkspaceRecord>>;
  /** By id, or by name if no workspace has that id. */
  find(idOrName: string): Promise<WorkspaceRecord | undefined>;
  /** Throws `WORKSPACE_EXISTS`. */
  create(name: string): Promise<WorkspaceRecord>;
  /** Throws `WORKSPACE_EXISTS`. Returns undefined if there is no such workspace. */
  rename(id: string, name: string): Promise<WorkspaceRecord | undefined>;
  /** Removes a workspace and its tokens. Returns false, and does nothing, while it has bots. */
  remove(id: string): Promise<boolean>;
}

/** The bots of all workspaces. */
export interface Bots {
  /** A page of the bots of a workspace, or of all workspaces. A non-empty `only` limits it to bots with those ids. */
  page(
    filter: {
      readonly workspace: string | undefined;
      readonly only: readonly string[];
      readonly tags: TagFilter;
      readonly sortField: 'createdAt' | 'updatedAt';
    },
    page: PageRequest,
  ): Promise<Page<BotRecord>>;
  /** The number of bots of a workspace. A non-empty `only` limits it to bots with those ids. */
  count(workspace: string, only: readonly string[]): Promise<number>;
  /**
   * By id, or by name if no bot has that id. Throws `BOT_AMBIGUOUS` if bots of several workspaces have that name.
   */
  find(idOrName: string, workspace?: string): Promise<BotRecord | undefined>;
  /** By id alone, which may be the name of another bot. */
  withId(id: string): Promise<BotRecord | undefined>;
  /**
   * `name` defaults to the id of the bot, and `workspace`, an id, to the workspace named `DEFAULT_WORKSPACE`. Throws
   * `BOT_EXISTS`.
   */
  create(bot: {
    readonly name: string | undefined;
    readonly tags: Tags;
    readonly workspace: string | undefined;
  }): Promise<BotRecord>;
  /** The bot of that name, created in the default workspace if there is none. Throws `BOT_AMBIGUOUS`. */
  ensure(name: string): Promise<BotRecord>;
  /** Null removes a tag. Throws `BOT_MISSING`, `BOT_EXISTS`, `INVALID_ARGUMENT` beyond a limit. */
  update(
    id: string,
    changes: { readonly name: string | undefined; readonly tags: Readonly<Record<string, string | null>> },
  ): Promise<BotRecord>;
  /** Removes a bot with its files. */
  remove(id: string): Promise<void>;
  /** The bot of a file, by the file's id. */
  ofFile(id: string): Promise<BotRecord | undefined>;
  /** Bots with uploaded files that are not indexed yet. */
  withPendingFiles(): Promise<readonly BotRecord[]>;
  /** One bot of each model that files are embedded with. */
  ofEachModel(): Promise<readonly BotRecord[]>;
  /** Bots with files that have expired. */
  withExpiredFiles(): Promise<readonly BotRecord[]>;
  /** Records that all files of a bot are indexed, as of now. */
  markIndexed(id: string): Promise<void>;
}

/** The access tokens of all workspaces. */
export interface Tokens {
  /** Oldest first. Defaults to the tokens of all workspaces. */
  list(workspaceId?: string): Promise<readonly (TokenRecord | DamagedToken)[]>;
  /** Throws `DATABASE_DAMAGED`. */
  find(id: string): Promise<TokenRecord | undefined>;
  create(token: Omit<TokenRecord, 'createdAt' | 'revokedAt'>): Promise<TokenRecord>;
  /**
   * Keeps the time of the first revocation. Returns undefined if there is no such token. Throws `DATABASE_DAMAGED`;
   * nothing is changed then.
   */
  revoke(id: string): Promise<TokenRecord | undefined>;
  /** Removes those that have expired. */
  removeExpired(): Promise<void>;
}

/** Workspaces, their bots and their tokens. */
export interface Accounts {
  readonly workspaces: Workspaces;
  readonly bots: Bots;
  readonly tokens: Tokens;
}
