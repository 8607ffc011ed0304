import { hasCode, WaymarkError } from '../domain/errors.js';
import type { BotRecord, TokenRecord, WorkspaceRecord } from '../storage/accounts.js';
import type { KnowledgeBaseRecord } from '../storage/knowledge-bases.js';
import type { Storage } from '../storage/storage.js';
import { hasFiles } from './has-files.js';
import { type Route, rebase } from './route.js';

/** Records read at a time. */
const PAGE = 100;

/** All bots of a storage, oldest first. */
export async function botsOf({ accounts }: Storage): Promise<BotRecord[]> {
  const filter = { workspace: undefined, only: [], tags: {}, sortField: 'createdAt' } as const;
  const bots: BotRecord[] = [];
  for (let nextToken: string | undefined; ; ) {
    const page = await accounts.bots.page(filter, { size: PAGE, direction: 'asc', nextToken });
    bots.push(...page.items);
    nextToken = page.nextToken;
    if (nextToken === undefined) return bots;
  }
}

/** Notes about what was copied, one sentence each, for people. */
export interface AccountNotes {
  readonly notes: readonly string[];
  /** What could not be copied. */
  readonly failed: readonly string[];
}

/**
 * Copies bots with their workspaces and, if they are all of a storage, its tokens and signing key. Throws `BOT_EXISTS`.
 */
export async function copyAccounts(
  route: Route,
  { bots, areAll }: { readonly bots: readonly BotRecord[]; readonly areAll: boolean },
): Promise<AccountNotes> {
  const { from, to } = route;
  const used = new Set(bots.map(({ workspace }) => workspace));
  const workspaces = (await from.accounts.workspaces.list()).filter(({ id }) => areAll || used.has(id));
  const ids = new Map<string, string>();
  const notes: string[] = [];
  for (const workspace of workspaces) {
    const owned = bots.filter((bot) => bot.workspace === workspace.id);
    const { id, name } = await copyWorkspace(route, { workspace, bots: owned });
    ids.set(workspace.id, id);
    if (id === workspace.id && name === workspace.name) continue;
    const other = `${to.location} has another workspace "${workspace.name}"`;
    notes.push(
      id === workspace.id
        ? `${other}: the copied one keeps the name that it has there, "${name}".`
        : `${other}, with the id ${id}: the bots were copied into it.`,
    );
  }
  for (const bot of bots) {
    const workspace = ids.get(bot.workspace) ?? bot.workspace;
    await makeRoom(to, { bot, workspace });
    await to.copies.putBot({ ...bot, workspace });
  }
  if (!areAll) return { notes, failed: [] };
  const failed: string[] = [];
  for (const token of await from.accounts.tokens.list()) {
    if ('isDamaged' in token) {
      failed.push(`The access token "${token.name}" was not copied: ${token.damage.message}`);
      continue;
    }
    const workspaceId = ids.get(token.workspaceId) ?? token.workspaceId;
    const isElsewhere = workspaceId !== token.workspaceId;
    const permitted = isElsewhere ? permittedBots(token, bots) : token.bots;
    if (isElsewhere && permitted.length === 0) {
      notes.push(`The access token "${token.name}" was not copied: it is for all bots of a workspace that has none.`);
      continue;
    }
    const known = await tokenIn(to, token.id);
    if (known instanceof WaymarkError) {
      failed.push(`The access token "${token.name}" was not copied to ${to.location}: ${known.message}`);
      continue;
    }
    // A token that was revoked in the target must not come back.
    const revokedAt = token.revokedAt ?? known?.revokedAt;
    const copied = { ...token, workspaceId, bots: permitted };
    await to.copies.putToken({ ...copied, ...(revokedAt !== undefined && { revokedAt }) });
  }
  return { notes: [...notes, ...(await copySigningKey(route, bots))], failed };
}

/** A token of a storage; the error for one that is damaged, of which it is not known whether it was revoked. */
async function tokenIn({ accounts }: Storage, id: string): Promise<TokenRecord | WaymarkError | undefined> {
  try {
    return await accounts.tokens.find(id);
  } catch (error) {
    if (hasCode(error, 'DATABASE_DAMAGED')) return error;
    throw error;
  }
}

/** The bots that a token gives access to: in a workspace that has others, too, those must be named. */
function permittedBots({ bots: named, workspaceId }: TokenRecord, bots: readonly BotRecord[]): readonly string[] {
  if (named.length > 0) return named;
  return bots.filter(({ workspace }) => workspace === workspaceId).map(({ id }) => id);
}

/**
 * The folders and knowledge bases of a bot. A folder of the target is forgotten if a copied folder has its name, and
 * with `isExact` also if only the target knows it.
 */
export async function copyBotRecords(
  route: Route,
  { botId, isExact }: { readonly botId: string; readonly isExact: boolean },
): Promise<void> {
  const { from, to } = route;
  const known = await to.folders(botId);
  const stored = await (await from.folders(botId)).list();
  const records = stored.map((record) => ({ ...record, folder: rebase(record.folder, route) }));
  const kept = new Set(records.map(({ folder }) => folder));
  const named = new Map(records.map(({ name, folder }) => [name, folder]));
  for (const { name, folder } of await known.list()) {
    const isTaken = name !== '' && (named.get(name) ?? folder) !== folder;
    if (isTaken || (isExact && !kept.has(folder))) await known.remove(folder);
  }
  for (const record of records) await known.put(record);
  for await (const base of knowledgeBasesOf(from, botId)) await to.copies.putKnowledgeBase(botId, base);
}

/**
 * Copies a workspace and returns it as it is in the target. It keeps its id, unless another workspace of its name is in
 * use there. A workspace that the target has already is not merged with another one that has taken its name.
 */
async function copyWorkspace(
  { to }: Route,
  { workspace, bots }: { readonly workspace: WorkspaceRecord; readonly bots: readonly BotRecord[] },
): Promise<Pick<WorkspaceRecord, 'id' | 'name'>> {
  const { workspaces, tokens } = to.accounts;
  const [known, other] = [await workspaces.find(workspace.id), await workspaces.find(workspace.name)];
  if (other && other.id !== workspace.id) {
    if (known?.id === workspace.id) return known;
    for (const bot of bots) await makeRoom(to, { bot, workspace: other.id });
    const isInUse = (await tokens.list(other.id)).length > 0 || !(await workspaces.remove(other.id));
    if (isInUse) return other;
  }
  await to.copies.putWorkspace(workspace);
  return workspace;
}

/**
 * Removes a bot of the same name that is empty: opening an index creates the default bot. Throws `BOT_EXISTS` if it has
 * something.
 */
async function makeRoom(
  to: Storage,
  { bot, workspace }: { readonly bot: BotRecord; readonly workspace: string },
): Promise<void> {
  const other = await to.accounts.bots.find(bot.name, workspace);
  if (!other || other.id === bot.id) return;
  if (await isEmpty(to, other.id)) return to.accounts.bots.remove(other.id);
  const message = `${to.location} has another bot named "${bot.name}": rename or delete one of them, then copy again.`;
  throw new WaymarkError('BOT_EXISTS', message);
}

async function isEmpty(storage: Storage, botId: string): Promise<boolean> {
  if (await hasFiles(storage, { botId, model: undefined })) return false;
  for await (const _ of knowledgeBasesOf(storage, botId)) return false;
  return (await (await storage.folders(botId)).list()).length === 0;
}

async function* knowledgeBasesOf(storage: Storage, botId: string): AsyncGenerator<KnowledgeBaseRecord> {
  const bases = await storage.knowledgeBases(botId);
  for (let nextToken: string | undefined; ; ) {
    const page = await bases.page({ tags: {} }, { size: PAGE, direction: 'asc', nextToken });
    yield* page.items;
    nextToken = page.nextToken;
    if (nextToken === undefined) return;
  }
}

/** Replaces the signing key of the target, unless other bots there have contents whose addresses it has signed. */
async function copySigningKey({ from, to }: Route, bots: readonly BotRecord[]): Promise<string[]> {
  const [key, former] = [await from.signingKey(), await to.signingKey()];
  if (Buffer.compare(key, former) === 0) return [];
  const copied = new Set(bots.map(({ id }) => id));
  const others = (await botsOf(to)).filter(({ id }) => !copied.has(id));
  if (others.length === 0) {
    await to.copies.putSigningKey(key);
    return [];
  }
  return [
    `${to.location} has other bots and keeps its own signing key: addresses of contents that ${from.location} ` +
      'has signed are not valid there.',
  ];
}
