import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { later } from '../support/later.js';
import { until } from '../support/until.js';
import { answer, refusal, serviceOf, settled } from './service.js';

test('an uploaded file goes from upload_pending to indexing_completed, and is found', async () => {
  const { ask, url } = await serviceOf();
  const content = '# Keys\n\nThe kettle is descaled with vinegar.\n';
  const body = { key: 'guides/keys.md', size: content.length, index: true, tags: { kind: 'guide' } };
  const upserted = await ask('/v1/files', { method: 'PUT', body });
  const { file } = upserted.body;
  expect(file).toMatchObject({ key: 'guides/keys.md', status: 'upload_pending', tags: { kind: 'guide' }, index: true });
  expect(file.url.split('?')[0]).toBe(`${url}/v1/files/${file.id}/content`);
  expect(file.uploadUrl).toMatch(new RegExp(`^${url}/v1/uploads/[\\w-]{40,}$`));
  const uploaded = await answer(new URL(file.uploadUrl), { method: 'PUT', headers: {}, body: content });
  expect(uploaded.status).toBe(200);
  expect(uploaded.body.file.status).toMatch(/^indexing_/);
  expect(await settled(ask, file.id)).toMatchObject({ status: 'indexing_completed', size: content.length });
  const { body: found } = await ask('/v1/files/search?query=vinegar');
  expect(found.passages[0]).toMatchObject({ file: { key: 'guides/keys.md', tags: { kind: 'guide' } } });
  expect(found.passages[0].content).toContain('descaled with vinegar');
  expect((await ask(new URL(file.url).pathname)).body).toBe(content);
});

test('an upload address takes one upload, without a token', async () => {
  const { ask } = await serviceOf();
  const { body } = await ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 2 } });
  const to = new URL(body.file.uploadUrl);
  expect((await answer(to, { method: 'PUT', headers: {}, body: 'ab' })).status).toBe(200);
  expect(refusal(await answer(to, { method: 'PUT', headers: {}, body: 'ab' }))).toEqual([404, 404, 'ResourceNotFound']);
});

test('content of another size than announced is refused, and the status says so', async () => {
  const { ask } = await serviceOf();
  const { body } = await ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 3, index: true } });
  const refused = await answer(new URL(body.file.uploadUrl), { method: 'PUT', headers: {}, body: 'ab' });
  expect(refusal(refused)).toEqual([400, 400, 'InvalidPayload']);
  expect(await settled(ask, 'a.md')).toMatchObject({ status: 'upload_failed' });
});

test('after several failed attempts, the file says why the last one failed', async () => {
  const { ask } = await serviceOf();
  const { body } = await ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 3, index: true } });
  const to = new URL(body.file.uploadUrl);
  for (const [content, failedStatusReason] of [
    ['ab', '2 bytes arrived instead of 3'],
    ['abcd', '4 bytes arrived instead of 3'],
  ]) {
    await answer(to, { method: 'PUT', headers: {}, body: content });
    expect(await settled(ask, 'a.md')).toMatchObject({ status: 'upload_failed', failedStatusReason });
  }
});

test('an upload of more bytes than the limit has failed, and can be sent again', async () => {
  const { ask } = await serviceOf({ uploadLimit: 10 });
  const { body } = await ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 3, index: true } });
  const to = new URL(body.file.uploadUrl);
  const refused = await answer(to, { method: 'PUT', headers: {}, body: 'more than ten bytes' });
  expect(refusal(refused)).toEqual([413, 413, 'PayloadTooLarge']);
  expect(await settled(ask, 'a.md')).toMatchObject({
    status: 'upload_failed',
    failedStatusReason: 'more than 10 bytes arrived',
  });
  expect((await answer(to, { method: 'PUT', headers: {}, body: 'abc' })).status).toBe(200);
  expect(await settled(ask, 'a.md')).toMatchObject({ status: 'indexing_completed', size: 3 });
});

test('an upload that ends before all bytes have arrived has failed, and can be sent again', async () => {
  const { ask } = await serviceOf();
  const { body } = await ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 3, index: true } });
  const to = new URL(body.file.uploadUrl);
  const sent = request(to, { method: 'PUT', headers: { 'content-length': '3' } });
  sent.on('error', () => {});
  sent.write('a', () => sent.destroy());
  expect(await settled(ask, 'a.md')).toMatchObject({
    status: 'upload_failed',
    failedStatusReason: 'the connection ended before all bytes had arrived',
  });
  expect((await answer(to, { method: 'PUT', headers: {}, body: 'abc' })).status).toBe(200);
  expect(await settled(ask, 'a.md')).toMatchObject({ status: 'indexing_completed', size: 3 });
});

test('an upload that exceeds the limit after its file was deleted is refused for its size', async () => {
  const { ask } = await serviceOf({ uploadLimit: 10 });
  const { body } = await ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 3, index: true } });
  const sent = request(new URL(body.file.uploadUrl), { method: 'PUT', headers: { expect: '100-continue' } });
  sent.flushHeaders();
  await once(sent, 'continue');
  expect((await ask('/v1/files/a.md', { method: 'DELETE' })).status).toBe(200);
  sent.end('more than ten bytes');
  const [response] = await once(sent, 'response');
  expect(response.statusCode).toBe(413);
  response.destroy();
});

test('a file that is not text is stored, and its status says why it is not indexed', async () => {
  const { put, ask } = await serviceOf();
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
  const file = await put('logo.png', bytes, { contentType: 'image/png' });
  expect(file).toMatchObject({ status: 'indexing_failed', size: 4, contentType: 'image/png' });
  expect(file.failedStatusReason).toMatch(/image\/png is not indexed/);
  expect((await ask('/v1/files/search?query=logo')).body).toEqual({ passages: [] });
});

test('a file is found by id and by key, whatever characters the key has', async () => {
  const { put, ask } = await serviceOf();
  const key = 'my folder/search?&#%25 ü.md';
  const { id } = await put(key, '# T\n\nText.\n');
  const named = `/v1/files/${encodeURIComponent(key)}`;
  expect((await ask(named)).body.file.id).toBe(id);
  const patch = { tags: { a: '1', b: '2' }, metadata: { n: 1 } };
  await ask(named, { method: 'PUT', body: patch });
  const patched = await ask(`/v1/files/${id}`, { method: 'PUT', body: { tags: { a: null } } });
  expect(patched.body.file).toMatchObject({ tags: { b: '2' }, metadata: { n: 1 } });
  expect((await ask(`${named}/passages`)).body.passages.length).toBeGreaterThan(0);
  expect((await ask(named, { method: 'DELETE', body: {} })).body).toEqual({});
  expect(refusal(await ask(`/v1/files/${id}`))).toEqual([404, 404, 'ResourceNotFound']);
});

test("a caller's passages replace those that the file was cut into", async () => {
  const { put, ask } = await serviceOf();
  const { id } = await put('a.md', '# A\n\nOld.\n');
  const passages = [{ content: 'The first page.', type: 'paragraph', pageNumber: 1 }, { content: 'Vinegar again.' }];
  expect((await ask(`/v1/files/${id}/passages`, { method: 'PUT', body: { passages } })).status).toBe(200);
  const listed = await ask(`/v1/files/${id}/passages?limit=1`);
  expect(listed.body.passages).toMatchObject([{ content: 'The first page.', meta: { pageNumber: 1, position: 0 } }]);
  const next = await ask(`/v1/files/${id}/passages?limit=1&nextToken=${listed.body.meta.nextToken}`);
  expect(next.body).toMatchObject({ passages: [{ content: 'Vinegar again.' }], meta: {} });
});

test('tags and their values are listed', async () => {
  const { put, ask } = await serviceOf();
  await put('a.md', 'A.', { tags: { kind: 'guide', 'a/b': 'x' } });
  await put('b.md', 'B.', { tags: { kind: 'note' } });
  expect((await ask('/v1/files/tags')).body).toEqual({ tags: ['a/b', 'kind'], meta: {} });
  expect((await ask('/v1/files/tags/kind/values')).body).toEqual({ values: ['guide', 'note'], meta: {} });
  expect((await ask('/v1/files/tags/a%2Fb/values')).body).toEqual({ values: ['x'], meta: {} });
});

test('files are listed in pages, in the requested order', async () => {
  const { put, ask } = await serviceOf();
  for (const key of ['b.md', 'a.md', 'c.md']) await put(key, 'T.', { tags: { kind: key } });
  const keys = async (query: string) => {
    const { body } = await ask(`/v1/files?${query}`);
    return { keys: body.files.map((file: { key: string }) => file.key), next: body.meta.nextToken };
  };
  const first = await keys('sortField=key&sortDirection=asc&pageSize=2');
  expect(first.keys).toEqual(['a.md', 'b.md']);
  const second = await keys(`sortField=key&sortDirection=asc&pageSize=2&nextToken=${first.next}`);
  expect(second).toEqual({ keys: ['c.md'], next: undefined });
  expect((await keys('tags.kind.not=a.md&sortField=key')).keys).toEqual(['c.md', 'b.md']);
  expect(refusal(await ask('/v1/files?nextToken=made-up'))).toEqual([400, 400, 'InvalidQuery']);
});

test('an upload address and a file waiting for indexing survive a restart', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const never = { ...createHashEmbedder(), embedPassages: () => new Promise<never>(() => {}) };
  const before = await serviceOf({}, { database, model: never });
  const upsert = async (key: string) =>
    (await before.ask('/v1/files', { method: 'PUT', body: { key, size: 9, index: true } })).body.file;
  const waiting = await upsert('waiting.md');
  const announced = await upsert('announced.md');
  await answer(new URL(waiting.uploadUrl), { method: 'PUT', body: 'A kettle.' });
  await before.close();
  const { ask, url } = await serviceOf({}, { database });
  expect(await settled(ask, waiting.id)).toMatchObject({ status: 'indexing_completed' });
  await answer(new URL(new URL(announced.uploadUrl).pathname, url), { method: 'PUT', body: 'A teapot.' });
  expect(await settled(ask, announced.id)).toMatchObject({ status: 'indexing_completed' });
});

test('an upload that a stopping service cuts can be sent again to its address', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const before = await serviceOf({ grace: 10 }, { database });
  const body = { key: 'a.md', size: 9, index: true };
  const { file } = (await before.ask('/v1/files', { method: 'PUT', body })).body;
  const { pathname, port } = new URL(file.uploadUrl);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  socket.write(`PUT ${pathname} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n`);
  await once(socket, 'data');
  socket.write('A ket');
  const cut = once(socket, 'close');
  await before.close();
  await cut;
  const { ask, url } = await serviceOf({}, { database });
  await answer(new URL(pathname, url), { method: 'PUT', body: 'A kettle.' });
  expect(await settled(ask, file.id)).toMatchObject({ status: 'indexing_completed', size: 9 });
});

test('a file whose upload address expires unused stays pending, and accepts its content at a new address', async () => {
  const { ask } = await serviceOf();
  const upsert = async () =>
    (await ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 9, index: true } })).body;
  const { file } = await upsert();
  later(16 * 60_000);
  const late = await answer(new URL(file.uploadUrl), { method: 'PUT', body: 'A kettle.' });
  expect(refusal(late)).toEqual([404, 404, 'ResourceNotFound']);
  expect((await ask('/v1/files/a.md')).body.file).toMatchObject({ status: 'upload_pending', size: null });
  const again = await upsert();
  await answer(new URL(again.file.uploadUrl), { method: 'PUT', body: 'A kettle.' });
  expect(await settled(ask, file.id)).toMatchObject({ status: 'indexing_completed' });
});

test('files of an indexed folder are listed, found and read like uploaded ones', async () => {
  const folder = folderOf({ 'docs/folder.md': '---\ntags: { kind: guide }\n---\n\n# Kettle\n\nFrom a folder.\n' });
  const database = path.join(folder, 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder() });
  await engine.indexFolder(path.join(folder, 'docs'));
  await engine.close();
  const { ask, put } = await serviceOf({}, { database });
  await put('uploaded.md', '# Kettle\n\nUploaded.\n');
  const keys = (files: { key: string }[]) => files.map(({ key }) => key).sort();
  expect(keys((await ask('/v1/files')).body.files)).toEqual(['folder.md', 'uploaded.md']);
  const { passages } = (await ask('/v1/files/search?query=kettle')).body;
  expect(keys(passages.map(({ file }: { file: { key: string } }) => file))).toEqual(['folder.md', 'uploaded.md']);
  expect((await ask('/v1/files/folder.md')).body.file).toMatchObject({
    status: 'indexing_completed',
    tags: { kind: 'guide' },
  });
  expect((await ask('/v1/files/folder.md/content')).body).toContain('From a folder.');
});

test('503: bytes of an announced file while too many files wait; its address accepts them afterwards', async () => {
  const { embedder: model, asked, letGo } = heldEmbedder();
  const { ask, host } = await serviceOf({ pendingLimit: 1 }, { model });
  const announced: string[] = [];
  for (const key of ['a.md', 'b.md']) {
    const { file } = (await ask('/v1/files', { method: 'PUT', body: { key, size: 9, index: true } })).body;
    announced.push(file.uploadUrl);
  }
  const [first, second] = announced.map((place) => () => answer(new URL(place), { method: 'PUT', body: 'A kettle.' }));
  expect((await first?.())?.status).toBe(200);
  await asked;
  const refused = await second?.();
  expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([503, '30']);
  expect(refused?.body.message).toBe('The indexing queue is full: try again later.');
  expect((await ask('/v1/files/b.md')).body.file.status).toBe('upload_pending');
  letGo();
  await until(() => host.status().pending === 0);
  expect((await second?.())?.status).toBe(200);
});

test('an empty file, an upload without a type, and DELETE without a body', async () => {
  const { ask, put } = await serviceOf();
  expect(await put('empty.md', '')).toMatchObject({ status: 'indexing_completed', size: 0 });
  const { file } = (await ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 2 } })).body;
  const bytes = new Blob([new Uint8Array([1, 2])]).stream();
  const sent = await fetch(file.uploadUrl, { method: 'PUT', body: bytes, duplex: 'half' } as RequestInit);
  expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const headers = { 'content-type': 'application/json' };
  expect((await ask('/v1/files/empty.md', { method: 'DELETE', headers })).status).toBe(200);
});
