import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openEngine, openHost } from 'waymark';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

const OLD = '# Pumps\n\nThe pump restarts.';
const NEW = '# Valves\n\nThe valve closes.';

async function indexedBot(database = `${folderOf()}/waymark.db`) {
  const host = await openHost({ database, model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const { files, botId } = await newBot(host);
  const statusOf = async (id: string) => (await files.getFile({ id })).file.status;
  const settled = () => until(() => host.status().pending === 0);
  await files.uploadFile({ key: 'a.md', content: OLD, index: true });
  await files.uploadFile({ key: 'b.md', content: '# Pumps\n\nAnother pump stops.', index: true });
  await settled();
  const found = async (query: string, tags = {}) =>
    (await files.searchFiles({ query, tags, contextDepth: 0 })).passages.map(({ content }) => content);
  return { host, files, botId, database, statusOf, settled, found };
}

test.each([
  ['a type that is not indexed', { content: NEW, contentType: 'image/png' }],
  ['bytes that are not text', { content: Uint8Array.of(0xff, 0xfe, 0xfd) }],
])('no search finds a file whose new content is not indexed: %s', async (_name, replacement) => {
  const { files, statusOf, settled, found } = await indexedBot();
  await files.uploadFile({ key: 'a.md', index: true, tags: { kind: 'new' }, ...replacement });
  expect(await found('pump')).toEqual(['Another pump stops.']);
  await settled();
  expect(await statusOf('a.md')).toBe('indexing_failed');
  expect(await found('pump')).toEqual(['Another pump stops.']);
  expect(await found('pump', { kind: 'new' })).toEqual([]);
  expect((await files.listFilePassages({ id: 'a.md' })).passages).toEqual([]);
  expect((await files.content('a.md')).size).toBe(replacement.content.length);
  await files.uploadFile({ key: 'a.md', content: NEW, index: true });
  await settled();
  expect(await found('valve')).toContain('The valve closes.');
});

test('a failed file stays failed, with its reason and content, when it is opened again', async () => {
  const { host, files, botId, database, settled } = await indexedBot();
  await files.uploadFile({ key: 'a.md', content: NEW, contentType: 'image/png', index: true });
  await settled();
  await host.close();
  const engine = await openEngine({ database, bot: botId, model: createHashEmbedder() });
  onTestFinished(() => engine.close());
  expect(await engine.status()).toMatchObject({ files: 2, passages: 1 });
  expect((await engine.search('pump')).map(({ file }) => file.key)).toEqual(['b.md']);
});

test('old text answers until new bytes are stored, and not after', async () => {
  const { embedder, letGo } = heldEmbedder();
  const database = `${folderOf()}/waymark.db`;
  const first = await openHost({ database, model: createHashEmbedder() });
  const { files, botId } = await newBot(first);
  await files.uploadFile({ key: 'a.md', content: OLD, index: true });
  await until(() => first.status().pending === 0);
  await first.close();
  const host = await openHost({ database, model: embedder });
  onTestFinished(() => host.close());
  onTestFinished(letGo);
  const held = await host.bot(botId);
  const found = async (query: string) => (await held.searchFiles({ query, mode: 'lexical' })).passages.length;
  const { file } = await held.upsertFile({ key: 'a.md', size: NEW.length, index: true });
  expect(await found('pump')).toBe(1);
  await host.receive(file.uploadUrl.split('/').at(-1) ?? '', Buffer.from(NEW));
  expect(await found('pump')).toBe(0);
  expect((await held.listFilePassages({ id: 'a.md' })).passages).toEqual([]);
  letGo();
  await until(() => host.status().pending === 0);
  expect([await found('pump'), await found('valve')]).toEqual([0, 1]);
});

test('new bytes are indexed as what they were announced as, though their file is announced again', async () => {
  const { embedder, letGo } = heldEmbedder();
  const host = await openHost({ database: `${folderOf()}/waymark.db`, model: embedder });
  onTestFinished(() => host.close());
  onTestFinished(letGo);
  const { files } = await newBot(host);
  await files.uploadFile({ key: 'a.md', content: NEW, index: true });
  await files.upsertFile({ key: 'a.md', size: 9, contentType: 'application/pdf', index: false });
  letGo();
  await until(() => host.status().pending === 0);
  const { passages } = await files.searchFiles({ query: 'valve' });
  expect(passages).toMatchObject([{ file: { key: 'a.md', contentType: 'text/markdown' } }]);
});

test('an announcement changes nothing of the present content if the new content does not arrive', async () => {
  const { host, files, found } = await indexedBot();
  const { file } = await files.upsertFile({ key: 'a.md', size: 9, contentType: 'application/pdf', index: false });
  await expect(host.receive(file.uploadUrl.split('/').at(-1) ?? '', Buffer.from('a'))).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
  const kept = { status: 'upload_failed', size: OLD.length, contentType: 'text/markdown', index: true };
  expect((await files.getFile({ id: 'a.md' })).file).toMatchObject(kept);
  expect(await found('pump')).toContain('The pump restarts.');
});

test('a file that waits for a new content is searched, read and compared as it was', async () => {
  const { files, botId, database, statusOf } = await indexedBot();
  await files.upsertFile({ key: 'a.md', size: 30, index: true });
  expect(await statusOf('a.md')).toBe('upload_pending');
  const engine = await openEngine({ database, bot: botId, model: createHashEmbedder() });
  onTestFinished(() => engine.close());
  const [hit] = await engine.search('restarts', { mode: 'lexical' });
  expect(hit?.file.key).toBe('a.md');
  expect(await engine.readFile('a.md')).toMatchObject({ text: OLD });
  expect(await engine.similar(hit?.passage.id ?? '')).toMatchObject([{ file: { key: 'b.md' } }]);
});
