import { randomUUID } from 'node:crypto';
import { changedTags } from '../../domain/description.js';
import { passesTags } from '../../domain/filters/tag-filter.js';
import type { BotRecord, Bots } from '../../storage/accounts.js';
import { ambiguousBot, botExists, missingBot } from '../../storage/failures.js';
import type { Page, PageRequest } from '../../storage/page.js';
import type { Cluster } from '../connection/cluster.js';
import { accountFiles, PENDING } from '../files/account-files.js';
import { pageOf } from '../records/page.js';
import type { RecordFilter } from '../records/records.js';
import { createBotTenants, ofBot, removeBotData } from '../schema/tenants.js';
import type { BotRecords } from './bot-records.js';
import type { WeaviateWorkspaces } from './weaviate-workspaces.js';

/** Files that are read at once to learn which bots have some. */
const FILES = 1000;

/** Bots in a cluster. */
export class WeaviateBots implements Bots {
  readonly #cluster: Cluster;
  readonly #records: BotRecords;
  readonly #workspaces: WeaviateWorkspaces;

  constructor(
    cluster: Cluster,
    { records, workspaces }: { readonly records: BotRecords; readonly workspaces: WeaviateWorkspaces },
  ) {
    this.#cluster = cluster;
    this.#records = records;
    this.#workspaces = workspaces;
  }

  async page(filter: Parameters<Bots['page']>[0], page: PageRequest): Promise<Page<BotRecord>> {
    const { workspace, only, tags, sortField } = filter;
    const bots = (await this.#records.bots.list(workspace)).filter(
      (bot) => (only.length === 0 || only.includes(bot.id)) && passesTags(bot.tags, tags),
    );
    return pageOf(bots, { sort: `bots.${sortField}`, sortedBy: (bot) => bot[sortField], idOf: ({ id }) => id }, page);
  }

  async count(workspace: string, only: readonly string[]): Promise<number> {
    const bots = await this.#records.bots.list(workspace);
    return only.length === 0 ? bots.length : bots.filter(({ id }) => only.includes(id)).length;
  }

  async find(idOrName: string, workspace?: string): Promise<BotRecord | undefined> {
    const [byId, named] = await Promise.all([
      this.#records.bots.find(idOrName),
      this.#records.bots.named(idOrName, workspace),
    ]);
    if (byId && byId.workspace === (workspace ?? byId.workspace)) return byId;
    if (named.length <= 1) return named[0];
    const names = new Map((await this.#workspaces.list()).map(({ id, name }) => [id, name]));
    throw ambiguousBot(
      idOrName,
      named.map((bot) => ({ id: bot.id, workspace: names.get(bot.workspace) })),
    );
  }

  async withId(id: string): Promise<BotRecord | undefined> {
    return this.#records.bots.find(id);
  }

  async create({ name, tags, workspace }: Parameters<Bots['create']>[0]): Promise<BotRecord> {
    const owner = workspace ?? (await this.#workspaces.ensureDefault()).id;
    const made = botOf({ name, tags, workspace: owner });
    if ((await this.#create(made)).id !== made.id) throw botExists(made.name);
    return made;
  }

  async ensure(name: string): Promise<BotRecord> {
    const found = await this.find(name);
    if (found) return found;
    const { id: workspace } = await this.#workspaces.ensureDefault();
    return this.#create(botOf({ name, tags: {}, workspace }));
  }

  async update(id: string, changes: Parameters<Bots['update']>[1]): Promise<BotRecord> {
    const updated = await this.#records.bots.change(id, (bot) => {
      const { name = bot.name } = changes;
      return { ...bot, name, tags: changedTags(bot.tags, changes.tags), updatedAt: new Date().toISOString() };
    });
    if (!updated) throw missingBot(id);
    return updated;
  }

  async remove(id: string): Promise<void> {
    const bot = await this.find(id);
    // Not the bot of that name, if this one was removed meanwhile.
    if (bot?.id !== id) return;
    // The bot itself last: if this process dies, it is still there to be removed.
    await this.#records.bots.remove(bot.id, async () => {
      await this.#records.models.remove(bot.id);
      await removeBotData(this.#cluster, bot.id);
    });
  }

  async ofFile(id: string): Promise<BotRecord | undefined> {
    const file = await accountFiles(this.#cluster).find(id);
    return file && this.#records.bots.find(file.bot);
  }

  async withPendingFiles(): Promise<BotRecord[]> {
    return this.#withFiles({ refs: [PENDING] });
  }

  async withExpiredFiles(): Promise<BotRecord[]> {
    return this.#withFiles({ until: Date.now() });
  }

  async ofEachModel(): Promise<BotRecord[]> {
    const models = new Map((await this.#records.models.list()).map(({ bot, fingerprint }) => [bot, fingerprint]));
    const found = new Map<string, BotRecord>();
    for (const bot of await this.#records.bots.list()) {
      const model = models.get(bot.id);
      if (model === undefined || found.has(model)) continue;
      const [file] = await accountFiles(this.#cluster).first(1, { refs: [ofBot(bot.id)] });
      if (file) found.set(model, bot);
    }
    return [...found.values()];
  }

  async markIndexed(id: string): Promise<void> {
    await this.#records.bots.change(id, (bot) => {
      const now = new Date().toISOString();
      return { ...bot, deployedAt: now, updatedAt: now };
    });
  }

  /** The bots that have files which pass a filter, oldest first. */
  async #withFiles(filter: RecordFilter): Promise<BotRecord[]> {
    const found = new Set<string>();
    for (;;) {
      const files = await accountFiles(this.#cluster).first(FILES, { ...filter, without: Array.from(found, ofBot) });
      for (const { bot } of files) found.add(bot);
      if (files.length < FILES) break;
    }
    const bots = await Promise.all(Array.from(found, (id) => this.#records.bots.find(id)));
    return bots
      .filter((bot) => bot !== undefined)
      .sort((a, b) => (a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? -1 : 1));
  }

  /** Creates a bot with its tenants, unless another one has its name. Returns the one that has it. */
  async #create(bot: BotRecord): Promise<BotRecord> {
    const [known] = await this.#records.bots.named(bot.name, bot.workspace);
    if (known) return known;
    // First: as soon as the bot is found, it can be used.
    await createBotTenants(this.#cluster, bot.id);
    const holder = await this.#records.bots.create(bot);
    if (holder.id !== bot.id) await removeBotData(this.#cluster, bot.id);
    return holder;
  }
}

function botOf({ name, tags, workspace }: Pick<BotRecord, 'tags' | 'workspace'> & { name: string | undefined }) {
  const [id, now] = [randomUUID(), new Date().toISOString()];
  const times = { createdAt: now, updatedAt: now, deployedAt: null };
  return { id, workspace, name: name ?? id, tags, ...times } satisfies BotRecord;
}
