import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, type Embedder, openHost } from 'waymark';
import { waymark } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

/** More passages than are put in one transaction. */
const LARGE = Array.from({ length: 3000 }, (_, i) => `# Valve ${i}\n\nValve ${i} closes.`).join('\n\n');

/** A host, and the number of passages that are stored for a file. */
async function hosted({
  database = path.join(folderOf(), 'waymark.db'),
  model = createHashEmbedder(),
}: {
  database?: string;
  model?: Embedder | null;
} = {}) {
  const host = await openHost({ database, ...(model && { model }) });
  onTestFinished(() => host.close());
  const connection = new Sqlite(database, { readonly: true });
  onTestFinished(() => void connection.close());
  const count = connection.prepare(`SELECT count(*) FROM passages JOIN files ON files.number = file WHERE key = ?`);
  return { host, database, stored: (key: string) => Number(count.pluck().get(key)) };
}

test('a bot stores files, and finds them, while a large upload of another bot is being put', async () => {
  const { host, stored } = await hosted();
  const greedy = await newBot(host);
  const { bot } = await (await host.workspace(greedy.workspaceId)).createBot({ name: 'modest' });
  const modest = await host.bot(bot.id);
  await greedy.files.uploadFile({ key: 'large.md', content: LARGE, index: true });
  await until(() => stored('large.md') > 0);
  await modest.uploadFile({ key: 'small.md', content: 'A pump.', index: true });
  await until(() => stored('small.md') > 0);
  expect((await modest.searchFiles({ query: 'pump' })).passages.map(({ content }) => content)).toEqual(['A pump.']);
  const { file } = await greedy.files.getFile({ id: 'large.md' });
  expect(file.status).toBe('indexing_pending');
  await until(() => host.status().pending === 0);
  expect(stored('large.md')).toBe(3000);
});

test('no search finds a large upload that is being put', async () => {
  const { host, stored } = await hosted();
  const { files } = await newBot(host);
  await files.uploadFile({ key: 'small.md', content: 'A valve.', index: true });
  await until(() => host.status().pending === 0);
  await files.uploadFile({ key: 'large.md', content: LARGE, index: true });
  await until(() => stored('large.md') > 0);
  const found = async () => (await files.searchFiles({ query: 'valve' })).passages.map(({ file }) => file.key);
  const statusOf = async () => (await files.getFile({ id: 'large.md' })).file.status;
  const during = await found();
  expect(await statusOf()).toBe('indexing_pending');
  expect(during).toEqual(['small.md']);
  expect((await files.listFilePassages({ id: 'large.md' })).passages).toEqual([]);
  await until(() => host.status().pending === 0);
  expect(await found()).toContain('large.md');
});

test('a put of a large upload that is interrupted damages nothing, and the next start completes it', async () => {
  // The bundled model, so that the doctor can compare everything.
  const { host, database, stored } = await hosted({ model: null });
  const { files, botId } = await newBot(host);
  const content = '# Valve\n\nThe valve closes.\n\n'.repeat(1200);
  await files.uploadFile({ key: 'large.md', content: `${content}# Lamp\n\nThe lamp shines.`, index: true });
  await until(() => host.status().pending === 0);
  await files.uploadFile({ key: 'large.md', content: `${content}# Pump\n\nThe pump starts.`, index: true });
  const texts = new Sqlite(database, { readonly: true });
  onTestFinished(() => void texts.close());
  await until(() => texts.prepare(`SELECT count(*) FROM texts`).pluck().get() === 0);
  await host.close();
  const doctor = async () =>
    (await waymark(['doctor', '--database', database], { cwd: path.dirname(database) })).stdout;
  expect(await doctor()).not.toMatch(/^(damaged|warning)/m);
  const next = await hosted({ database, model: null });
  await until(() => next.host.status().pending === 0);
  expect(stored('large.md')).toBe(1201);
  const { passages } = await (await next.host.bot(botId)).searchFiles({ query: 'pump lamp', limit: 3 });
  expect(passages[0]?.content).toContain('The pump starts.');
  expect(passages.some((passage) => passage.content.includes('lamp'))).toBe(false);
  await next.host.close();
  expect(await doctor()).not.toMatch(/^(damaged|warning)/m);
});
