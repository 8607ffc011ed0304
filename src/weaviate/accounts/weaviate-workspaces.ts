import { randomUUID } from 'node:crypto';
import { type BotRecord, DEFAULT_WORKSPACE, type WorkspaceRecord, type Workspaces } from '../../storage/accounts.js';
import { workspaceExists } from '../../storage/failures.js';
import type { Page } from '../../storage/page.js';
import type { Cluster } from '../connection/cluster.js';
import { pageOf } from '../records/page.js';
import { NamedRecords } from './named-records.js';
import type { WeaviateTokens } from './weaviate-tokens.js';

/** Names of workspaces are unique among all. */
const SCOPE = '';

/** Workspaces in a cluster. */
export class WeaviateWorkspaces implements Workspaces {
  readonly #records: NamedRecords<WorkspaceRecord>;
  readonly #tokens: WeaviateTokens;
  readonly #bots: NamedRecords<BotRecord>;

  constructor(cluster: Cluster, parts: { readonly tokens: WeaviateTokens; readonly bots: NamedRecords<BotRecord> }) {
    this.#records = workspaceRecords(cluster);
    this.#tokens = parts.tokens;
    this.#bots = parts.bots;
  }

  async list(): Promise<WorkspaceRecord[]> {
    return this.#records.list();
  }

  async page({ id, ...page }: Parameters<Workspaces['page']>[0]): Promise<Page<WorkspaceRecord>> {
    const all = id === undefined ? await this.list() : [await this.#records.find(id)];
    const found = all.filter((workspace) => workspace !== undefined);
    return pageOf(found, { sort: 'workspaces.createdAt', sortedBy: (it) => it.createdAt, idOf: (it) => it.id }, page);
  }

  async find(idOrName: string): Promise<WorkspaceRecord | undefined> {
    return (await this.#records.find(idOrName)) ?? (await this.#records.named(idOrName))[0];
  }

  async create(name: string): Promise<WorkspaceRecord> {
    if (await this.find(name)) throw workspaceExists(name);
    const made = workspaceOf(name);
    const holder = await this.#records.create(made);
    if (holder.id !== made.id) throw workspaceExists(name);
    return holder;
  }

  async rename(id: string, name: string): Promise<WorkspaceRecord | undefined> {
    const other = await this.find(name);
    if (other && other.id !== id) throw workspaceExists(name);
    return this.#records.change(id, (former) => ({ ...former, name, updatedAt: new Date().toISOString() }));
  }

  /** A bot that is created in it at the same moment may be left without a workspace. It is found by its id. */
  async remove(id: string): Promise<boolean> {
    if (await this.#bots.hasAny(id)) return false;
    await this.#tokens.removeOf(id);
    await this.#records.remove(id);
    return true;
  }

  /** The workspace of bots that are created without one, created if there is none. */
  async ensureDefault(): Promise<WorkspaceRecord> {
    const [found] = await this.#records.named(DEFAULT_WORKSPACE);
    return found ?? this.#records.create(workspaceOf(DEFAULT_WORKSPACE));
  }
}

/** The records of a cluster's workspaces. */
export function workspaceRecords(cluster: Cluster): NamedRecords<WorkspaceRecord> {
  return new NamedRecords<WorkspaceRecord>(cluster, {
    kind: 'workspace',
    scopeOf: () => SCOPE,
    taken: workspaceExists,
  });
}

function workspaceOf(name: string): WorkspaceRecord {
  const now = new Date().toISOString();
  return { id: randomUUID(), name, createdAt: now, updatedAt: now };
}
