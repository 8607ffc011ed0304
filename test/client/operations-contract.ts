import { describe, expect, it } from 'vitest';
import { describeFiles } from './files-contract.js';
import { describePassages } from './passages-contract.js';
import { describeSearch } from './search-contract.js';
import type { OpenService } from './support/service.js';
import { describeWorkspaces } from './workspaces-contract.js';

/**
 * The rules of all operations, in process and over HTTP. They need `createHashEmbedder` with 4,096 dimensions,
 * with which a text is found by its words.
 */
export function describeOperations(name: string, open: OpenService): void {
  describe(`${name} has the operations of the contract`, () => {
    describeFiles(open);
    describePassages(open);
    describeSearch(open);
    describeBots(open);
    describeWorkspaces(open);
  });
}

function describeBots(open: OpenService): void {
  describe('bots', () => {
    it('are listed in pages, by default newest first', async () => {
      const { bots } = await open();
      expect((await bots.listBots()).bots.map((bot) => bot.name)).toEqual(['three', 'two', 'one']);
      const first = await bots.listBots({ sortDirection: 'asc', pageSize: 2 });
      expect(first.bots.map((bot) => bot.name)).toEqual(['one', 'two']);
      expect(first.meta.nextToken).toMatch(/^[\w-]+$/);
      const { nextToken } = first.meta;
      const last = await bots.listBots({ sortDirection: 'asc', pageSize: 2, nextToken });
      expect([last.bots.map((bot) => bot.name), last.meta]).toEqual([['three'], {}]);
    });

    it('are returned by id', async () => {
      const { bots, botIds } = await open();
      const { bot } = await bots.getBot({ id: botIds[1] });
      const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(bot).toMatchObject({ id: botIds[1], name: 'two', createdAt: iso, updatedAt: iso });
    });

    it('are BOT_MISSING if they do not exist', async () => {
      const { bots, files } = await open();
      const none = '00000000-0000-4000-8000-000000000000';
      const missing = {
        name: 'WaymarkError',
        code: 'BOT_MISSING',
        message: `There is no bot "${none}": pass an id that listBots, or "waymark bot list", shows.`,
      };
      await expect(bots.getBot({ id: none })).rejects.toMatchObject(missing);
      await expect(files(none).then((operations) => operations.listFiles())).rejects.toMatchObject(missing);
      const getFile = files(none).then((operations) => operations.getFile({ id: 'a.md' }));
      await expect(getFile).rejects.toMatchObject(missing);
    });

    it('have separate files', async () => {
      const { botIds, files } = await open();
      const [one, two] = [await files(botIds[0]), await files(botIds[1])];
      await one.uploadFile({ key: 'a.md', content: 'apples' });
      expect((await one.listFiles()).files.map(({ key, botId }) => [key, botId])).toEqual([['a.md', botIds[0]]]);
      expect((await two.listFiles()).files).toEqual([]);
    });

    it('are created with tags, found by them, changed and deleted', async () => {
      const { bots, files } = await open();
      const { bot } = await bots.createBot({ name: 'four', tags: { team: 'support', tier: '1' } });
      expect(bot).toMatchObject({ name: 'four', tags: { team: 'support', tier: '1' }, type: 'studio' });
      expect((await bots.listBots({ tags: { team: ['support', 'sales'] } })).bots.map(({ id }) => id)).toEqual([
        bot.id,
      ]);
      expect((await bots.listBots({ tags: { team: { exists: false } } })).bots).toHaveLength(3);
      const changed = await bots.updateBot({ id: bot.id, name: 'quattro', tags: { tier: null, lang: 'it' } });
      expect(changed.bot).toMatchObject({ id: bot.id, name: 'quattro', tags: { team: 'support', lang: 'it' } });
      await (await files(bot.id)).uploadFile({ key: 'a.md', content: 'apples' });
      expect(await bots.deleteBot({ id: bot.id })).toEqual({});
      await expect(bots.getBot({ id: bot.id })).rejects.toMatchObject({ code: 'BOT_MISSING' });
      await expect(bots.deleteBot({ id: bot.id })).rejects.toMatchObject({ code: 'BOT_MISSING' });
    });

    it('are named by their id if they are created without a name, and no two share a name', async () => {
      const { bots } = await open();
      const { bot } = await bots.createBot();
      expect(bot.name).toBe(bot.id);
      await expect(bots.createBot({ name: 'two' })).rejects.toMatchObject({ code: 'BOT_EXISTS' });
      await expect(bots.updateBot({ id: bot.id, name: 'two' })).rejects.toMatchObject({ code: 'BOT_EXISTS' });
      expect((await bots.getBot({ id: bot.id })).bot.name).toBe(bot.id);
    });

    it('are refused with fields that only a running bot has', async () => {
      const { bots, botIds } = await open();
      const code = { code: 'run()' } as object;
      const message = 'code must be left out: Waymark serves the files of bots, and runs none; it is "run()".';
      const refused = { code: 'INVALID_ARGUMENT', message };
      await expect(bots.createBot(code)).rejects.toMatchObject(refused);
      await expect(bots.updateBot({ id: botIds[0], ...code })).rejects.toMatchObject(refused);
      expect((await bots.listBots()).bots).toHaveLength(3);
    });

    it('are refused with the name of the wrong argument', async () => {
      const { bots } = await open();
      await expect(bots.listBots({ pageSize: 101 })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: 'pageSize must be an integer from 1 to 100; it is 101.',
      });
      await expect(bots.listBots({ nextToken: 'none-of-ours' })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('nextToken'),
      });
    });

    it('have a nextToken that no other list accepts', async () => {
      const { bots, workspaces, files, botIds } = await open();
      const operations = await files(botIds[0]);
      const { meta } = await bots.listBots({ pageSize: 1 });
      const message = 'Invalid nextToken: start again from the first page, in the same order.';
      const refused = { code: 'INVALID_ARGUMENT', message };
      await expect(operations.listKnowledgeBases(meta)).rejects.toMatchObject(refused);
      await expect(operations.listFiles(meta)).rejects.toMatchObject(refused);
      await expect(workspaces.listWorkspaces(meta)).rejects.toMatchObject(refused);
    });
  });
}
