import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { type BotFiles, createHashEmbedder, type File, type Host, openEngine, openHost } from 'waymark';
import { folderOf, writeFiles } from '../support/folder.js';
import { inMilliseconds, later } from '../support/later.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

/** What messages name as indexed. */
const TYPES =
  'text/markdown, text/mdx, text/plain, text/html, text/csv, text/tab-separated-values, application/jsonl, ' +
  'application/x-ipynb+json, application/pdf, ' +
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

async function hostOf(database = `${folderOf()}/waymark.db`): Promise<Host> {
  const host = await openHost({ database, model: createHashEmbedder() });
  onTestFinished(() => host.close());
  return host;
}

/** The files of a new bot in a new workspace. */
async function bot(): Promise<{ host: Host; files: BotFiles; workspaceId: string; botId: string }> {
  const host = await hostOf();
  return { host, ...(await newBot(host)) };
}

/** The file once it is indexed, or indexing has failed. */
async function settled(files: BotFiles, id: string): Promise<File> {
  await until(async () => (await files.getFile({ id })).file.status !== 'indexing_pending');
  return (await files.getFile({ id })).file;
}

const PEARS = '# Fruit\n\nRed apples here.\n\n## Pears\n\nGreen pears here.\n';

test('an uploaded file is indexed in the background, and then found', async () => {
  const { files, botId } = await bot();
  const { file } = await files.uploadFile({ key: 'a b.md', content: PEARS, index: true, tags: { kind: 'fruit' } });
  expect(file).toStrictEqual({
    id: expect.stringMatching(/^file_[0-9A-HJKMNP-TV-Z]{26}$/),
    botId,
    key: 'a b.md',
    url: expect.stringMatching(new RegExp(`^/v1/files/${file.id}/content\\?expires=\\d+&signature=[\\w-]{43}$`)),
    size: PEARS.length,
    contentType: 'text/markdown',
    tags: { kind: 'fruit' },
    metadata: {},
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    accessPolicies: [],
    index: true,
    status: 'indexing_pending',
    owner: { type: 'bot', id: botId },
  });
  expect((await settled(files, 'a b.md')).status).toBe('indexing_completed');
  const { passages } = await files.searchFiles({ query: 'green pears', contextDepth: 0 });
  expect(passages[0]).toMatchObject({ content: 'Green pears here.', file: { id: file.id, tags: { kind: 'fruit' } } });
});

test('a file that is not text is stored, and its status says why it is not indexed', async () => {
  const { files } = await bot();
  await files.uploadFile({ key: 'a.png', content: 'bytes', index: true });
  expect(await settled(files, 'a.png')).toMatchObject({
    status: 'indexing_failed',
    failedStatusReason: `image/png is not indexed. Indexed types: ${TYPES}.`,
  });
  expect(Buffer.from(await (await files.content('a.png')).bytes()).toString()).toBe('bytes');
  await files.uploadFile({ key: 'b.md', content: Uint8Array.of(0xff, 0xfe, 0xfd), index: true });
  expect((await settled(files, 'b.md')).status).toBe('indexing_failed');
});

test('a file uploaded without index is stored and no longer searched', async () => {
  const { files } = await bot();
  await files.uploadFile({ key: 'a.md', content: PEARS, index: true });
  await settled(files, 'a.md');
  const { file } = await files.uploadFile({ key: 'a.md', content: PEARS });
  expect(file).toMatchObject({ index: false, status: 'upload_completed' });
  expect((await files.searchFiles({ query: 'pears' })).passages).toEqual([]);
  expect((await files.listFiles({ indexed: false })).files.map(({ key }) => key)).toEqual(['a.md']);
  expect((await files.listFiles({ indexed: true })).files).toEqual([]);
});

test.each<[string, (files: BotFiles) => Promise<unknown>]>([
  ['is announced again', (files) => files.upsertFile({ key: 'a.md', size: 5, index: false, contentType: 'a/b' })],
  ['is uploaded in another way', (files) => files.uploadFile({ key: 'a.md', content: 'later', index: true })],
  ['gets passages', (files) => files.setFilePassages({ id: 'a.md', passages: [{ content: 'later' }] })],
])('an upload address accepts what was announced with it, also once its file %s', async (_, change) => {
  const { host, files } = await bot();
  const { file } = await files.upsertFile({ key: 'a.md', size: 3, index: true });
  await change(files);
  await host.receive(path.posix.basename(file.uploadUrl), Buffer.from('abc'));
  expect(await settled(files, 'a.md')).toMatchObject({
    status: 'indexing_completed',
    index: true,
    size: 3,
    contentType: 'text/markdown',
  });
  expect((await files.searchFiles({ query: 'abc later' })).passages.map(({ content }) => content)).toEqual(['abc']);
});

test('an upload address accepts nothing once its file is deleted', async () => {
  const { host, files } = await bot();
  const { file } = await files.upsertFile({ key: 'a.md', size: 3, index: true });
  await files.deleteFile({ id: 'a.md' });
  await files.upsertFile({ key: 'a.md', size: 3, index: true });
  const receiving = host.receive(path.posix.basename(file.uploadUrl), Buffer.from('abc'));
  await expect(receiving).rejects.toMatchObject({ code: 'UPLOAD_MISSING' });
});

test('ten concurrent uploads of one key all succeed, and the file ends up as one of them', async () => {
  const { host, files } = await bot();
  const contents = Array.from({ length: 10 }, (_, i) => `Number ${'x'.repeat(i)} of ten.`);
  await Promise.all(
    contents.map(async (content, i) => {
      const announced = {
        key: 'a.md',
        size: content.length,
        index: true,
        contentType: `text/${i % 2 ? 'plain' : 'markdown'}`,
      };
      const { file } = await files.upsertFile(announced);
      await host.receive(path.posix.basename(file.uploadUrl), Buffer.from(content));
    }),
  );
  const { size, contentType } = await settled(files, 'a.md');
  const stored = Buffer.from(await (await files.content('a.md')).bytes()).toString();
  const i = contents.indexOf(stored);
  expect([size, contentType]).toEqual([contents[i]?.length, `text/${i % 2 ? 'plain' : 'markdown'}`]);
  const { passages } = await files.searchFiles({ query: 'number of ten' });
  expect(passages.map(({ content }) => content)).toEqual([stored]);
});

test('an upload address accepts one upload, of the announced size', async () => {
  const { host, files } = await bot();
  const { file } = await files.upsertFile({ key: 'a.md', size: 3, index: true });
  const secret = path.posix.basename(file.uploadUrl);
  expect(file).toMatchObject({ status: 'upload_pending', size: null });
  expect(await host.receive(secret, Buffer.from('abc'))).toMatchObject({ status: 'indexing_pending', size: 3 });
  await expect(host.receive(secret, Buffer.from('abc'))).rejects.toMatchObject({ code: 'UPLOAD_MISSING' });
  await expect(host.receive('guess', Buffer.from('abc'))).rejects.toMatchObject({ code: 'UPLOAD_MISSING' });
  const { file: other } = await files.upsertFile({ key: 'b.md', size: 3 });
  const otherSecret = path.posix.basename(other.uploadUrl);
  await expect(host.receive(otherSecret, Buffer.from('abcd'))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect((await files.getFile({ id: 'b.md' })).file).toMatchObject({
    status: 'upload_failed',
    failedStatusReason: '4 bytes arrived instead of 3',
  });
});

test('files uploaded before the host closed are indexed after the next start', async () => {
  const database = `${folderOf()}/waymark.db`;
  const first = await openHost({ database, model: createHashEmbedder() });
  const { botId, files: uploaded } = await newBot(first);
  await uploaded.uploadFile({ key: 'a.md', content: PEARS, index: true });
  await first.close();
  const files = await (await hostOf(database)).bot(botId);
  expect((await settled(files, 'a.md')).status).toBe('indexing_completed');
  expect((await files.searchFiles({ query: 'pears' })).passages).not.toEqual([]);
});

test('files are listed in pages, in the requested order', async () => {
  const { files } = await bot();
  for (const key of ['c', 'a', 'e', 'b', 'd']) await files.uploadFile({ key, content: key });
  const keys: string[] = [];
  for (let nextToken: string | undefined; ; ) {
    const page = await files.listFiles({ pageSize: 2, sortField: 'key', sortDirection: 'asc', nextToken });
    expect(page.files.length).toBeLessThanOrEqual(2);
    keys.push(...page.files.map(({ key }) => key));
    nextToken = page.meta.nextToken;
    if (nextToken === undefined) break;
  }
  expect(keys).toEqual(['a', 'b', 'c', 'd', 'e']);
  await expect(files.listFiles({ nextToken: 'bm90IG91cnM' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

test('tags and metadata are patched; null deletes a member', async () => {
  const { files } = await bot();
  await files.uploadFile({ key: 'a.md', content: 'apples', tags: { a: '1', b: '2' }, metadata: { x: 1, y: [2] } });
  const { file } = await files.updateFileMetadata({ id: 'a.md', tags: { a: null, c: '3' }, metadata: { x: null } });
  expect(file).toMatchObject({ tags: { b: '2', c: '3' }, metadata: { y: [2] } });
  expect(file.tags).not.toHaveProperty('a');
  expect((await files.listFileTags()).tags).toEqual(['b', 'c']);
  expect((await files.listFileTagValues({ tag: 'c' })).values).toEqual(['3']);
});

test('a token has one of the three roles', async () => {
  const { host, workspaceId } = await bot();
  for (const role of ['root', 'constructor', '__proto__']) {
    const creating = host.createToken({ workspaceId, name: 'ci', role: role as 'admin' });
    await expect(creating).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  }
});

test.each([undefined, null, 5, {}, [], '', { id: 'a.md' }])('%j is neither an id nor a key', async (id) => {
  const { files } = await bot();
  const rule = /^id must be an id or key of 1 to 1000 characters; it is /;
  await expect(files.content(id as string)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringMatching(rule),
  });
});

test.each([
  [null, 'The options must be a plain object; they are null.'],
  [{ bots: 'b' }, 'bots must be a list of ids of bots; it is "b".'],
])('%j does not limit a workspace to bots', async (options, message) => {
  const { host, workspaceId } = await bot();
  await expect(host.workspace(workspaceId, options as never)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message,
  });
});

test('passages are listed in pages, and setFilePassages replaces them', async () => {
  const { files } = await bot();
  await files.uploadFile({ key: 'a.md', content: PEARS, index: true });
  await settled(files, 'a.md');
  const first = await files.listFilePassages({ id: 'a.md', limit: 1 });
  const second = await files.listFilePassages({ id: 'a.md', limit: 1, nextToken: first.meta.nextToken });
  expect([...first.passages, ...second.passages].map(({ content }) => content)).toEqual([
    'Red apples here.',
    'Green pears here.',
  ]);
  expect(second.meta).toEqual({});
  await files.setFilePassages({
    id: 'a.md',
    passages: [{ content: 'One kiwi.', pageNumber: 3 }, { content: 'Figs.' }],
  });
  const { passages } = await files.searchFiles({ query: 'kiwi', contextDepth: 0, limit: 1 });
  expect(passages[0]).toMatchObject({ content: 'One kiwi.', meta: { position: 0, pageNumber: 3 } });
  const long = { id: 'a.md', passages: [{ content: 'word '.repeat(600) }] };
  await expect(files.setFilePassages(long)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

test('a token authenticates until it is revoked or expires, for each of its bots once', async () => {
  const { host, workspaceId, botId } = await bot();
  const bots = ['support', botId];
  const { token, id } = await host.createToken({ workspaceId, name: 'ci', role: 'search', bots });
  expect(await host.authenticate(token)).toMatchObject({ id, workspaceId, role: 'search', bots: [botId] });
  expect(await host.authenticate(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBeUndefined();
  expect(await host.authenticate('wm_')).toBeUndefined();
  expect(JSON.stringify(await host.listTokens(workspaceId))).not.toContain(token);
  await host.revokeToken(id);
  expect(await host.authenticate(token)).toBeUndefined();
  const expiresAt = inMilliseconds(3_600_000);
  const old = await host.createToken({ workspaceId, name: 'old', role: 'admin', expiresAt });
  expect(await host.authenticate(old.token)).toMatchObject({ id: old.id });
  later(7_200_000);
  expect(await host.authenticate(old.token)).toBeUndefined();
});

test('missing and existing bots, workspaces and tokens have their own error codes', async () => {
  const { host, workspaceId } = await bot();
  await expect(host.workspace('nowhere')).rejects.toMatchObject({ code: 'WORKSPACE_MISSING' });
  await expect(host.bot('nobody')).rejects.toMatchObject({ code: 'BOT_MISSING' });
  await expect(host.revokeToken('none')).rejects.toMatchObject({ code: 'TOKEN_MISSING' });
  await expect(host.createWorkspace('acme')).rejects.toMatchObject({ code: 'WORKSPACE_EXISTS' });
  const bots = await host.workspace(workspaceId);
  await expect(bots.createBot({ name: 'support' })).rejects.toMatchObject({ code: 'BOT_EXISTS' });
});

test('a bot of a workspace that another process has deleted is WORKSPACE_MISSING', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const model = createHashEmbedder();
  await using host = await openHost({ database, model });
  await using other = await openHost({ database, model });
  const { id } = await host.createWorkspace('acme');
  const workspace = await host.workspace(id);
  await other.deleteWorkspace(id);
  await expect(workspace.createBot({ name: 'support' })).rejects.toMatchObject({ code: 'WORKSPACE_MISSING' });
});

test('a call that opens a bot while the host closes is ENGINE_CLOSED', async () => {
  const { host, workspaceId } = await bot();
  const {
    bot: { id },
  } = await (await host.workspace(workspaceId)).createBot({ name: 'other' });
  const opening = expect(host.bot(id)).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await host.close();
  await opening;
});

test('deleting a bot deletes its files, but not a bot of the same name in another workspace', async () => {
  const { host, files, workspaceId, botId } = await bot();
  await files.uploadFile({ key: 'a.md', content: PEARS, index: true });
  await settled(files, 'a.md');
  const other = await host.workspace((await host.createWorkspace('other')).id);
  const {
    bot: { id },
  } = await other.createBot({ name: 'support' });
  await (await host.workspace()).deleteBot({ id: botId });
  expect((await (await host.workspace(workspaceId)).listBots()).bots).toEqual([]);
  await expect(host.bot(botId)).rejects.toMatchObject({ code: 'BOT_MISSING' });
  expect((await other.listBots()).bots.map((bot) => bot.id)).toEqual([id]);
});

test('a host with an open bot that another process deleted reads and changes nothing of the next bot', async () => {
  const database = `${folderOf()}/waymark.db`;
  const [host, other] = [await hostOf(database), await hostOf(database)];
  const { files, workspaceId, botId } = await newBot(host);
  const administration = await other.workspace(workspaceId);
  await administration.deleteBot({ id: botId });
  const { bot } = await administration.createBot({ name: 'next' });
  const next = await other.bot(bot.id);
  await next.uploadFile({ key: 'a.md', content: PEARS, index: true });
  await next.createKnowledgeBase({ name: 'pears' });
  await settled(next, 'a.md');
  await expect(files.searchFiles({ query: 'pears' })).rejects.toMatchObject({ code: 'BOT_MISSING' });
  await expect(files.getFile({ id: 'a.md' })).rejects.toMatchObject({ code: 'FILE_MISSING' });
  expect(await files.listFiles()).toEqual({ files: [], meta: {} });
  expect(await files.listKnowledgeBases()).toEqual({ knowledgeBases: [], meta: {} });
  const upload = files.uploadFile({ key: 'b.md', content: PEARS, index: true });
  await expect(upload).rejects.toMatchObject({ code: 'BOT_MISSING' });
  expect((await next.listFiles()).files.map(({ key }) => key)).toEqual(['a.md']);
});

test('a file is found by its description as soon as that is set, and by none that was deleted', async () => {
  const { files } = await bot();
  for (const key of ['a.md', 'b.md']) {
    await files.uploadFile({ key, content: `${key} is green.`, index: true });
    await settled(files, key);
  }
  const first = async () => (await files.searchFiles({ query: 'samovar' })).passages[0]?.file.key;
  for (const [key, other] of [['a.md', 'b.md'] as const, ['b.md', 'a.md'] as const]) {
    await files.updateFileMetadata({ id: other, metadata: { description: null } });
    await files.updateFileMetadata({ id: key, metadata: { description: 'Samovars' } });
    expect(await first()).toBe(key);
  }
});

test('passages name the sourceUrl of the metadata of their file, if it is text', async () => {
  const { files } = await bot();
  const sourceUrl = 'https://example.com/kettle';
  for (const [key, metadata] of [['a.md', { sourceUrl }] as const, ['b.md', { sourceUrl: 7 }] as const]) {
    await files.uploadFile({ key, content: 'Kettles.', index: true, metadata });
    await settled(files, key);
  }
  const metaOf = async (id: string) => (await files.listFilePassages({ id })).passages.map(({ meta }) => meta);
  expect(await metaOf('a.md')).toEqual([{ type: 'chunk', subtype: 'paragraph', position: 0, sourceUrl }]);
  expect(await metaOf('b.md')).toEqual([{ type: 'chunk', subtype: 'paragraph', position: 0 }]);
});

test('warming up loads the model, or says why it cannot be loaded', async () => {
  const hash = createHashEmbedder();
  let isDown = false;
  const model = {
    ...hash,
    embedQuery: async (text: string) => {
      if (isDown) throw new Error('no model here');
      return hash.embedQuery(text);
    },
  };
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model });
  onTestFinished(() => host.close());
  await host.warmUp();
  isDown = true;
  const message = 'hash could not embed a text: no model here.';
  await expect(host.warmUp()).rejects.toMatchObject({ code: 'EMBEDDER_FAILED', message });
});

test('warming up warns of a bot whose own model cannot be loaded', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder({ name: 'other' }) });
  await engine.indexFile('a.md', 'apples');
  await engine.close();
  const connection = new Sqlite(database);
  connection.exec(`UPDATE models SET source = '{"folder":"/nowhere"}'`);
  connection.close();
  const warnings: string[] = [];
  const host = await openHost({ database, model: createHashEmbedder(), onWarning: (text) => warnings.push(text) });
  onTestFinished(() => host.close());
  await host.warmUp();
  expect(warnings).toEqual([expect.stringMatching(/^The model of bot "default" could not be loaded: .*\/nowhere/)]);
});

test('setFilePassages never changes the content of the file, however often it is called', async () => {
  const { host, files } = await bot();
  await files.uploadFile({ key: 'a.md', content: '\uFEFF# Apples\r\n', index: true });
  await files.uploadFile({ key: 'b.txt', content: 'apples\n', index: true });
  await files.uploadFile({ key: 'c.png', content: 'apples', index: true });
  await files.uploadFile({ key: 'd.md', content: 'no', index: false });
  await until(() => host.status().pending === 0);
  // An announced upload that does not arrive, for a file that has a content.
  await files.upsertFile({ key: 'b.txt', size: 3, index: true });
  const contents: unknown[] = [];
  for (const key of ['a.md', 'b.txt', 'c.png', 'd.md']) {
    await files.setFilePassages({ id: key, passages: [{ content: 'pears' }] });
    await files.setFilePassages({ id: key, passages: [{ content: 'plums' }, { content: 'quinces' }] });
    const { file } = await files.getFile({ id: key });
    contents.push([key, file.size, Buffer.from(await (await files.content(key)).bytes()).toString()]);
    expect((await files.listFilePassages({ id: key })).passages.map(({ content }) => content)).toEqual([
      'plums',
      'quinces',
    ]);
  }
  expect(contents).toEqual([
    ['a.md', 13, '\uFEFF# Apples\r\n'],
    ['b.txt', 7, 'apples\n'],
    ['c.png', 6, 'apples'],
    ['d.md', 2, 'no'],
  ]);
});

test('setFilePassages leaves the content of a file of a folder, until its folder is indexed again', async () => {
  const database = `${folderOf()}/waymark.db`;
  const folder = folderOf({ 'a.md': 'apples\n' });
  const engine = await openEngine({ database, model: createHashEmbedder() });
  onTestFinished(() => engine.close());
  await engine.indexFolder(folder);
  await engine.indexFile('b.md', 'berries\n');
  const host = await hostOf(database);
  const [workspace] = await host.listWorkspaces();
  const { bots } = await (await host.workspace(workspace?.id ?? '')).listBots({});
  const files = await host.bot(bots[0]?.id ?? '');
  const textOf = async (key: string) => Buffer.from(await (await files.content(key)).bytes()).toString();
  for (const id of ['a.md', 'b.md']) await files.setFilePassages({ id, passages: [{ content: 'pears and plums' }] });
  expect([await textOf('a.md'), await textOf('b.md')]).toEqual(['apples\n', 'berries\n']);
  expect((await files.getFile({ id: 'a.md' })).file.size).toBe(7);
  writeFiles(folder, { 'a.md': 'other apples\n' });
  await engine.indexFolder(folder);
  expect(await textOf('a.md')).toBe('other apples\n');
});
