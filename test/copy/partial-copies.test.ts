import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { type CopyOptions, type CopyResult, copyDatabase, createHashEmbedder, type Embedder, openHost } from 'waymark';
import { folderOf } from '../support/folder.js';

const model = createHashEmbedder();

test.each([
  ['before it is copied', 'a'],
  ['while it is copied', 'b'],
])('a bot that is deleted in the source %s is named, and the others are copied', async (_when, during) => {
  const { from, to, copy } = await databases();
  let isDeleted = false;
  const result = await copy({
    onProgress({ bot, phase, done }) {
      if (isDeleted || bot !== during || phase !== 'copy' || done !== 1) return;
      isDeleted = true;
      change(from, `DELETE FROM bots WHERE name = 'b'`);
    },
  });
  const note = `Bot "b" was deleted while it was copied, in ${from}: delete it in ${to}, too, if it is there.`;
  expect(result).toMatchObject({
    bots: [
      { name: 'a', copied: 2, isAlike: true },
      { name: 'b', notes: expect.arrayContaining([note]), isAlike: false },
      { name: 'c', copied: 2, isAlike: true },
    ],
    isAlike: false,
  });
});

test('a bot that is deleted in the target while it is copied is named, and the next copy has it', async () => {
  const { to, copy } = await databases();
  let isDeleted = false;
  const { bots } = await copy({
    onProgress({ bot, phase, done }) {
      if (isDeleted || bot !== 'b' || phase !== 'copy' || done !== 1) return;
      isDeleted = true;
      change(to, `DELETE FROM bots WHERE name = 'b'`);
    },
  });
  const note = `Bot "b" was deleted while it was copied, in ${to}: copy again.`;
  expect(bots.map(({ name, notes, isAlike }) => [name, notes.includes(note), isAlike])).toEqual([
    ['a', false, true],
    ['b', true, false],
    ['c', false, true],
  ]);
  expect(await copy()).toMatchObject({ bots: [{ unchanged: 2 }, { copied: 2 }, { unchanged: 2 }], isAlike: true });
});

test('a bot with damaged settings of a folder is named, and the others are copied', async () => {
  const { from, copy } = await databases();
  change(from, `UPDATE folders SET ignore = '['`);
  const note = 'Bot "b" was not copied: The row of the folder docs is damaged in the database: repair it with: ';
  expect(await copy()).toMatchObject({
    bots: [
      { name: 'a', isAlike: true },
      { name: 'b', copied: 0, notes: [expect.stringContaining(note)], isAlike: false },
      { name: 'c', isAlike: true },
    ],
    isAlike: false,
  });
});

test('a damaged token is named, and the others are copied with all bots', async () => {
  const { from, to, copy } = await databases();
  change(from, `UPDATE tokens SET role = 'adm1n' WHERE name = 'laptop'`);
  const { bots, notes, isAlike } = await copy();
  const damage = 'The row of the token laptop is damaged in the database: repair it with: waymark doctor --repair';
  expect(notes).toEqual([`The access token "laptop" was not copied: ${damage}`]);
  expect([bots.map(({ copied }) => copied), isAlike]).toEqual([[2, 2, 2], false]);
  const host = await openHost({ database: to, model });
  expect(await host.listTokens()).toMatchObject([{ name: 'ci' }]);
  await host.close();
});

test('a token that is damaged in the target is named, and left as it is', async () => {
  const { to, copy } = await databases();
  await copy();
  change(to, `UPDATE tokens SET role = 'adm1n' WHERE name = 'laptop'`);
  const { bots, notes, isAlike } = await copy();
  const damage = 'The row of the token laptop is damaged in the database: repair it with: waymark doctor --repair';
  expect(notes).toEqual([`The access token "laptop" was not copied to ${to}: ${damage}`]);
  expect([bots.map(({ unchanged }) => unchanged), isAlike]).toEqual([[2, 2, 2], false]);
});

test('a file whose parse process fails is named, and the others are copied', async () => {
  const { copy } = await databases();
  const module = `data:text/javascript,${encodeURIComponent(
    'export default () => (text) => text.includes("wolf") ? process.exit(3) : text.split(" ").length',
  )}`;
  const failing: Embedder = { ...model, counter: { module } };
  const { bots, isAlike } = await copy({ model: failing });
  const failed = [{ key: 'wolf.md', reason: expect.stringContaining('its process ended with code 3') }];
  expect(bots).toMatchObject([
    { name: 'a', copied: 1, failed, isAlike: false },
    { name: 'b', copied: 1, failed, isAlike: false },
    { name: 'c', copied: 1, failed, isAlike: false },
  ]);
  expect(isAlike).toBe(false);
});

/** A database with three bots of two files each, one with a folder, and two tokens, and the place of its copy. */
async function databases() {
  const folder = folderOf();
  const [from, to] = [path.join(folder, 'from.db'), path.join(folder, 'to.db')];
  const host = await openHost({ database: from, model });
  const { id: workspaceId } = await host.createWorkspace('acme');
  const workspace = await host.workspace(workspaceId);
  for (const name of ['a', 'b', 'c']) {
    const { bot } = await workspace.createBot({ name });
    const files = await host.bot(bot.id);
    for (const [key, text] of [
      ['yak.md', 'A yak.'],
      ['wolf.md', 'A wolf.'],
    ] as const) {
      await files.uploadFile({ key, content: text, index: false });
      await files.setFilePassages({ id: key, passages: [{ content: text }] });
    }
  }
  for (const name of ['laptop', 'ci']) await host.createToken({ workspaceId, name, role: 'admin' });
  await host.close();
  const settings = `(bot, folder, name, tags, tag_rules, ignore)`;
  change(
    from,
    `INSERT INTO folders ${settings} SELECT number, 'docs', 'docs', '{}', '[]', '[]' FROM bots WHERE name = 'b'`,
  );
  const copy = (options: Partial<CopyOptions> = {}): Promise<CopyResult> =>
    copyDatabase({ from: { database: from }, to: { database: to }, model, ...options });
  return { from, to, copy };
}

function change(database: string, sql: string): void {
  const connection = new Sqlite(database);
  connection.pragma('foreign_keys = ON');
  connection.exec(sql);
  connection.close();
}
