import { describe, expect, it } from 'vitest';
import { describeFiles } from './files-contract.js';
import { describePassages } from './passages-contract.js';
import { describeSearch } from './search-contract.js';
import type { OpenService } from './support/service.js';

/**
 * The rules of file and bot operations, in process and over HTTP. They need `createHashEmbedder` with 4,096 dimensions,
 * with which a text is found by its words.
 */
export function describeOperations(name: string, open: OpenService): void {
  describe(`${name} has the operations of the contract`, () => {
    describeFiles(open);
    describePassages(open);
    describeSearch(open);
    describeBots(open);
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
        message: `There is no bot "${none}": listBots lists the bots of the workspace.`,
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
  });
}
