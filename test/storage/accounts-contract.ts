import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { BotRecord } from '#src/storage/accounts.js';
import type { Page, PageRequest } from '#src/storage/page.js';
import type { Storage } from '#src/storage/storage.js';
import { later } from '../support/later.js';

/** The ports that bots are kept by. */
export type AccountPorts = Pick<Storage, 'accounts' | 'models' | 'fileRecords'>;

const MODEL = { card: { id: 'a', fingerprint: 'weights of a', dimensions: 2 }, location: { folder: '/models/a' } };
const OTHER = { card: { id: 'b', fingerprint: 'weights of b', dimensions: 3 }, location: undefined };

/** What holds for workspaces, bots, tokens and models in every storage. The storage may have others besides them. */
export function describeAccounts(name: string, open: () => Promise<AccountPorts>): void {
  describe(`accounts: ${name}`, () => {
    const workspaceIn = async ({ accounts }: AccountPorts) =>
      (await accounts.workspaces.create(`workspace ${randomUUID()}`)).id;

    it('a name belongs to one workspace, finds it, and is free again once the workspace is renamed', async () => {
      const { workspaces } = (await open()).accounts;
      const [name, other] = [`a ${randomUUID()}`, `b ${randomUUID()}`];
      const made = await workspaces.create(name);
      await expect(workspaces.create(name)).rejects.toMatchObject({ code: 'WORKSPACE_EXISTS' });
      expect(await workspaces.find(name)).toEqual(made);
      expect(await workspaces.find(made.id)).toEqual(made);
      expect(await workspaces.find(randomUUID())).toBeUndefined();
      const renamed = await workspaces.rename(made.id, other);
      expect(renamed).toMatchObject({ id: made.id, name: other, createdAt: made.createdAt });
      expect(await workspaces.find(name)).toBeUndefined();
      // Those of one millisecond are in the order of their ids.
      later(1);
      const second = await workspaces.create(name);
      await expect(workspaces.rename(second.id, other)).rejects.toMatchObject({ code: 'WORKSPACE_EXISTS' });
      expect(await workspaces.rename(second.id, name)).toMatchObject({ name });
      expect(await workspaces.rename(randomUUID(), `c ${randomUUID()}`)).toBeUndefined();
      const ids = (await workspaces.list()).map(({ id }) => id);
      expect(ids.filter((id) => id === made.id || id === second.id)).toEqual([made.id, second.id]);
      const page = await workspaces.page({ id: made.id, size: 5, direction: 'asc' });
      expect(page).toEqual({ items: [renamed] });
    });

    it('a workspace with bots is not removed; one without goes with its tokens', async () => {
      const ports = await open();
      const { workspaces, bots, tokens } = ports.accounts;
      const workspace = await workspaceIn(ports);
      const bot = await bots.create({ name: undefined, tags: {}, workspace });
      await tokens.create(tokenOf(workspace));
      expect(await workspaces.remove(workspace)).toBe(false);
      await bots.remove(bot.id);
      expect(await workspaces.remove(workspace)).toBe(true);
      expect(await workspaces.find(workspace)).toBeUndefined();
      expect(await tokens.list(workspace)).toEqual([]);
    });

    it('a name belongs to one bot of a workspace', async () => {
      const ports = await open();
      const { bots } = ports.accounts;
      const [workspace, other] = [await workspaceIn(ports), await workspaceIn(ports)];
      const name = `bot ${randomUUID()}`;
      const bot = await bots.create({ name, tags: { a: '1' }, workspace });
      expect(bot).toMatchObject({ name, workspace, tags: { a: '1' }, deployedAt: null });
      await expect(bots.create({ name, tags: {}, workspace })).rejects.toMatchObject({ code: 'BOT_EXISTS' });
      expect(await bots.ensure(name)).toEqual(bot);
      const twin = await bots.create({ name, tags: {}, workspace: other });
      await expect(bots.find(name)).rejects.toMatchObject({ code: 'BOT_AMBIGUOUS' });
      expect(await bots.find(name, other)).toEqual(twin);
      expect(await bots.find(bot.id)).toEqual(bot);
      expect(await bots.find(bot.id, other)).toBeUndefined();
      expect([await bots.withId(bot.id), await bots.withId(name)]).toEqual([bot, undefined]);
      await bots.remove(twin.id);
      expect(await bots.find(name)).toEqual(bot);
      await bots.remove(name);
      expect(await bots.withId(bot.id)).toEqual(bot);
      expect(await bots.count(workspace, [])).toBe(1);
      expect(await bots.count(workspace, [randomUUID()])).toBe(0);
    });

    it('of concurrent calls that create a bot of one name, one succeeds; all that ensure the bot get it', async () => {
      const ports = await open();
      const { bots } = ports.accounts;
      const workspace = await workspaceIn(ports);
      const name = `bot ${randomUUID()}`;
      const created = await Promise.allSettled(
        Array.from({ length: 5 }, () => bots.create({ name, tags: {}, workspace })),
      );
      expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const ensured = `bot ${randomUUID()}`;
      const found = await Promise.all(Array.from({ length: 5 }, () => bots.ensure(ensured)));
      expect(new Set(found.map(({ id }) => id)).size).toBe(1);
      await bots.remove(ensured);
    });

    it('the name of a bot is its id unless it is given one', async () => {
      const ports = await open();
      const { bots } = ports.accounts;
      const bot = await bots.create({ name: undefined, tags: {}, workspace: await workspaceIn(ports) });
      expect(bot.name).toBe(bot.id);
      const name = `named ${randomUUID()}`;
      const named = await bots.update(bot.id, { name, tags: {} });
      expect(await bots.find(name)).toEqual(named);
    });

    it('tags of a bot change one by one, and are limited', async () => {
      const ports = await open();
      const { bots } = ports.accounts;
      const workspace = await workspaceIn(ports);
      const bot = await bots.create({ name: 'a', tags: { kept: '1', gone: '2' }, workspace });
      await bots.create({ name: 'b', tags: {}, workspace });
      const updated = await bots.update(bot.id, { name: undefined, tags: { gone: null, new: '3' } });
      expect(updated).toMatchObject({ name: 'a', tags: { kept: '1', new: '3' } });
      expect(await bots.find(bot.id)).toEqual(updated);
      const none = { tags: {} };
      await expect(bots.update(bot.id, { name: 'b', ...none })).rejects.toMatchObject({ code: 'BOT_EXISTS' });
      await expect(bots.update(randomUUID(), { name: 'c', ...none })).rejects.toMatchObject({ code: 'BOT_MISSING' });
      const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`tag ${i}`, 'x']));
      const refused = bots.update(bot.id, { name: undefined, tags: many });
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    });

    it('pages list every bot that passes the filter once, in either order', async () => {
      const ports = await open();
      const { bots } = ports.accounts;
      const workspace = await workspaceIn(ports);
      const made: BotRecord[] = [];
      for (const parity of ['even', 'odd', 'even', 'odd', 'even']) {
        made.push(await bots.create({ name: undefined, tags: { parity }, workspace }));
      }
      const filter = { workspace, only: [], tags: {}, sortField: 'createdAt' } as const;
      for (const direction of ['asc', 'desc'] as const) {
        const found = await allOf((page) => bots.page(filter, { ...page, direction, size: 2 }));
        expect(found.map(({ id }) => id)).toEqual(inOrder(made, direction).map(({ id }) => id));
      }
      const page = { size: 10, direction: 'asc' } as const;
      const even = await bots.page({ ...filter, tags: { parity: 'even' } }, page);
      expect(even.items.map(({ id }) => id)).toEqual([made[0]?.id, made[2]?.id, made[4]?.id]);
      const notEven = await bots.page(
        { ...filter, tags: { parity: { not: ['even'] }, none: { exists: false } } },
        page,
      );
      expect(notEven.items).toHaveLength(2);
      const only = await bots.page({ ...filter, only: [made[1]?.id ?? ''] }, page);
      expect(only.items).toEqual([made[1]]);
      const { nextToken } = await bots.page(filter, { size: 2, direction: 'asc' });
      const other = bots.page(filter, { size: 2, direction: 'desc', nextToken });
      await expect(other).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    });

    it('knows which bots have pending files, expired files, and any file of a model', async () => {
      const ports = await open();
      const { bots } = ports.accounts;
      const workspace = await workspaceIn(ports);
      const bot = await bots.create({ name: undefined, tags: {}, workspace });
      const without = await bots.create({ name: undefined, tags: {}, workspace });
      const model = { card: { ...MODEL.card, fingerprint: randomUUID() }, location: undefined };
      for (const { id } of [bot, without]) await ports.models.assign(id, model);
      const records = await ports.fileRecords(bot.id);
      const file = await records.announce({ ...FILE, expiresAt: new Date(Date.now() - 1000).toISOString() });
      if (typeof file === 'string') throw new Error(file);
      expect(await bots.ofFile(file.id)).toEqual(bot);
      expect(await bots.ofFile(randomUUID())).toBeUndefined();
      const among = (found: readonly BotRecord[]) => found.filter((one) => one.workspace === workspace);
      expect(among(await bots.withExpiredFiles())).toEqual([bot]);
      expect(among(await bots.withPendingFiles())).toEqual([]);
      expect(among(await bots.ofEachModel())).toEqual([bot]);
      await bots.remove(bot.id);
      expect(await bots.ofFile(file.id)).toBeUndefined();
      expect(among(await bots.withExpiredFiles())).toEqual([]);
    });

    it('records when all files of a bot were indexed', async () => {
      const ports = await open();
      const { bots } = ports.accounts;
      const bot = await bots.create({ name: undefined, tags: {}, workspace: await workspaceIn(ports) });
      await bots.markIndexed(bot.id);
      const { deployedAt, updatedAt } = (await bots.find(bot.id)) as BotRecord;
      expect(deployedAt).toBe(updatedAt);
      await bots.markIndexed(randomUUID());
    });

    it('tokens are kept with the time of their first revocation, until they expire', async () => {
      const ports = await open();
      const { tokens } = ports.accounts;
      const workspace = await workspaceIn(ports);
      const past = new Date(Date.now() - 1000).toISOString();
      const token = await tokens.create(tokenOf(workspace));
      const old = await tokens.create({ ...tokenOf(workspace), expiresAt: past });
      const found = (await tokens.find(token.id)) as typeof token;
      expect({ ...found, hash: [...found.hash] }).toEqual({ ...token, hash: [...token.hash] });
      // Those of one millisecond are in any order.
      expect((await tokens.list(workspace)).map(({ id }) => id).sort()).toEqual([token.id, old.id].sort());
      expect((await tokens.list()).map(({ id }) => id)).toEqual(expect.arrayContaining([token.id, old.id]));
      const revoked = await tokens.revoke(token.id);
      expect(revoked?.revokedAt).toEqual(expect.any(String));
      expect((await tokens.revoke(token.id))?.revokedAt).toBe(revoked?.revokedAt);
      expect(await tokens.revoke(randomUUID())).toBeUndefined();
      await tokens.removeExpired();
      expect((await tokens.list(workspace)).map(({ id }) => id)).toEqual([token.id]);
    });

    it('the model of a bot can change only while it has no files', async () => {
      const ports = await open();
      const { models } = ports;
      const { id } = await ports.accounts.bots.create({
        ...{ name: undefined, tags: {}, workspace: await workspaceIn(ports) },
      });
      expect(await models.ofBot(id)).toBeUndefined();
      await models.assign(id, OTHER);
      expect(await models.ofBot(id)).toEqual({ id: 'b', fingerprint: 'weights of b', dimensions: 3, source: null });
      await models.assign(id, MODEL);
      await (await ports.fileRecords(id)).announce(FILE);
      await models.assign(id, { card: MODEL.card, location: undefined });
      await expect(models.assign(id, OTHER)).rejects.toMatchObject({ code: 'MODEL_MISMATCH' });
      const source = JSON.stringify(MODEL.location);
      expect(await models.ofBot(id)).toEqual({ id: 'a', fingerprint: 'weights of a', dimensions: 2, source });
      await expect(models.assign(randomUUID(), MODEL)).rejects.toMatchObject({ code: 'BOT_MISSING' });
    });

    it('the measured similarity scale of a model is kept under its fingerprint', async () => {
      const ports = await open();
      const card = { ...MODEL.card, fingerprint: randomUUID() };
      const { id } = await ports.accounts.bots.create({
        ...{ name: undefined, tags: {}, workspace: await workspaceIn(ports) },
      });
      await ports.models.assign(id, { card, location: undefined });
      expect(await ports.models.similarity(card.fingerprint)).toBeUndefined();
      await ports.models.setSimilarity(card.fingerprint, { unrelated: 0.1, related: 0.7 });
      expect(await ports.models.similarity(card.fingerprint)).toEqual({ unrelated: 0.1, related: 0.7 });
    });
  });
}

const FILE = {
  ...{ key: 'a.md', size: 1, contentType: 'text/markdown', tags: {}, metadata: {}, index: true },
  ...{ accessPolicies: [], expiresAt: undefined },
};

function tokenOf(workspaceId: string) {
  const hash = randomBytes(32);
  return { id: randomUUID(), workspaceId, name: 'token', role: 'member' as const, bots: ['x'], hash };
}

/** The items of all pages. */
export async function allOf<Item>(
  read: (page: Pick<PageRequest, 'nextToken'>) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let nextToken: string | undefined; ; ) {
    const page = await read({ nextToken });
    items.push(...page.items);
    nextToken = page.nextToken;
    if (nextToken === undefined) return items;
  }
}

/** Items that are ascending, in a direction. */
export function inOrder<Item>(items: readonly Item[], direction: 'asc' | 'desc'): Item[] {
  return direction === 'asc' ? [...items] : items.toReversed();
}
