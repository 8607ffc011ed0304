import assert from 'node:assert';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  createHashEmbedder,
  examine,
  openEmbedder,
  openEngine,
  openHost,
  reembed,
  shownText,
  type WaymarkError,
} from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

const REFUSED = 'INVALID_ARGUMENT';

/** Options as a class may have them: none is a member of the object itself. */
class Inherited {
  get tags() {
    return { team: 'ours' };
  }
}

describe('a wrong option of indexFolder is refused, and the index stays as it was', () => {
  it.each<[string, object | null, string]>([
    ['ignore, a string', { ignore: '*.tmp' }, 'ignore must be a list of patterns; it is "*.tmp".'],
    ['ignore, a number', { ignore: 5 }, 'ignore must be a list of patterns; it is 5.'],
    [
      'ignore, too long',
      { ignore: ['a'.repeat(40_000)] },
      'A pattern must have at most 4096 characters; it has 40000.',
    ],
    ['verify', { verify: 'no' }, 'verify must be true or false; it is "no".'],
    ['signal', { signal: 'stop' }, 'signal must be an AbortSignal; it is "stop".'],
    ['onProgress', { onProgress: true }, 'onProgress must be a function; it is true.'],
    ['null', null, 'The options must be a plain object; they are null.'],
    ['an instance of a class', new Inherited(), 'The options must be a plain object; they are Inherited {}.'],
  ])('%s', async (_name, options, message) => {
    const folder = folderOf({ 'a.md': 'A yak.', 'b.md': 'A wolf.' });
    const engine = await engineOf();
    await engine.indexFolder(folder);
    await expect(engine.indexFolder(folder, options as object)).rejects.toMatchObject({ code: REFUSED, message });
    expect(await engine.status()).toMatchObject({ files: 2 });
  });
});

test('a filter that options inherit is refused, not lost', async () => {
  const engine = await engineOf();
  await engine.indexFile('ours.md', 'A yak.', { tags: { team: 'ours' } });
  await engine.indexFile('theirs.md', 'A yak.');
  const refused = { code: REFUSED, message: expect.stringContaining('must be a plain object') };
  await expect(engine.search('yak', new Inherited())).rejects.toMatchObject(refused);
  await expect(engine.searchFiles({ query: 'yak' }, new Inherited() as object)).rejects.toMatchObject(refused);
  await expect(engine.indexFile('b.md', 'A yak.', new Inherited())).rejects.toMatchObject(refused);
  expect(await engine.search('yak', Object.assign(Object.create(null), { limit: 1 }))).toHaveLength(1);
});

describe('a wrong option of what opens a database is refused before anything is opened', () => {
  const openers = { openEngine, openHost, reembed, examine } as unknown as Record<
    string,
    (options?: unknown) => Promise<unknown>
  >;

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'The options must be a plain object; they are missing.'],
    ['no database', {}, 'Pass database, the path of a file, or cluster; neither was passed.'],
    ['a URL', { database: new URL('file:///tmp/x.db') }, 'database must be the path of a file; it is URL'],
    ['a NUL', { database: 'real\0evil.db' }, 'database must be the path of a file; it is "real\\u0000evil.db".'],
    [
      'a database in memory',
      { database: ':memory:' },
      'A database is a file, and ":memory:" is not a path: ' +
        'pass the path of a file, in a temporary folder if nothing is to be kept.',
    ],
    [
      'the text of a URL',
      { database: 'file:///tmp/x.db' },
      'A database is a file, and "file:///tmp/x.db" is not a path',
    ],
    ['model', { database: 'x.db', model: null }, 'model must be a name, a folder, a hub id, a location or an embedder'],
    ['index', { database: 'x.db', index: 'foo' }, 'index must be auto, exact or hnsw; it is "foo".'],
    ['create', { database: 'x.db', create: 'no' }, 'create must be true or false; it is "no".'],
    ['embedBreadcrumb', { database: 'x.db', embedBreadcrumb: 'no' }, 'embedBreadcrumb must be true or false'],
    [
      'processes',
      { database: 'x.db', processes: Number.NaN },
      'processes must be an integer of at least 1; it is NaN.',
    ],
    ['passageTokens', { database: 'x.db', passageTokens: 15 }, 'passageTokens must be an integer of at least 16'],
    ['onWarning', { database: 'x.db', onWarning: 'log' }, 'onWarning must be a function; it is "log".'],
  ])('%s', async (_name, options, message) => {
    for (const open of Object.values(openers)) {
      const refused = { code: REFUSED, message: expect.stringContaining(message) };
      await expect(open(options)).rejects.toMatchObject(refused);
    }
  });
});

test('a wrong length of passages leaves no database', async () => {
  for (const open of [openEngine, openHost]) {
    const database = path.join(folderOf(), 'waymark.db');
    const options = { database, model: createHashEmbedder({ maxTokens: 100 }), passageTokens: 101 };
    await expect(open(options)).rejects.toMatchObject({
      code: REFUSED,
      message: 'passageTokens must be an integer from 16 to 100; it is 101.',
    });
    expect(existsSync(database)).toBe(false);
  }
});

test('a wrong model is refused in one short sentence', async () => {
  await expect(openEmbedder(null as unknown as string)).rejects.toMatchObject({
    code: REFUSED,
    message: 'The model must be a name, a folder, a hub id, a location or an embedder; it is null.',
  });
  const unknown = await openEmbedder('x'.repeat(1_000_000)).catch((error: WaymarkError) => error);
  expect(unknown).toMatchObject({ code: 'MODEL_MISSING', message: expect.stringMatching(/^No model "x{76}…: pass/) });
});

test('a path that is longer than any path can be is refused in one short sentence', async () => {
  const engine = await engineOf();
  const refused = { code: REFUSED, message: expect.stringMatching(/^folder must be the path of a folder; .{0,90}$/) };
  for (const call of ['indexFolder', 'addFolder'] as const) {
    await expect(engine[call]('x'.repeat(1_000_000))).rejects.toMatchObject(refused);
  }
});

test('a range of passages without valid positions is refused', async () => {
  const engine = await engineOf();
  await expect(engine.passagesOf('file', undefined as unknown as { from: 0; to: 0 })).rejects.toMatchObject({
    code: REFUSED,
    message: 'The options must be a plain object; they are missing.',
  });
  await expect(engine.passagesOf('file', { from: -1, to: 0 })).rejects.toMatchObject({
    code: REFUSED,
    message: 'from must be an integer from 0; it is -1.',
  });
});

test('a value that cannot be inspected is named by its type', async () => {
  const engine = await engineOf();
  const limit = { [Symbol.for('nodejs.util.inspect.custom')]: () => assert.fail('inspected') };
  await expect(engine.search('yak', { limit: limit as unknown as number })).rejects.toMatchObject({
    code: REFUSED,
    message: 'limit must be an integer from 1 to 1000; it is a value of type object.',
  });
});

test('a token whose bots are not a list, or whose expiry is not a time, is refused', async () => {
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model: createHashEmbedder() });
  const { id: workspaceId } = await host.createWorkspace('acme');
  const grant = { workspaceId, name: 'site', role: 'search' } as const;
  for (const [wrong, message] of [
    [{ bots: '' }, 'bots must be a list of bots; it is "".'],
    [{ expiresAt: '1' }, 'expiresAt must be an ISO 8601 time'],
    [{ expiresAt: '2030-02-31T00:00:00Z' }, 'expiresAt must be an ISO 8601 time'],
  ] as const) {
    const refused = { code: REFUSED, message: expect.stringContaining(message) };
    await expect(host.createToken({ ...grant, ...(wrong as object) })).rejects.toMatchObject(refused);
  }
  expect(await host.listTokens()).toEqual([]);
  expect(await host.authenticate(undefined)).toBeUndefined();
  await host.close();
});

test.each([
  ['a number', [1], 'text must be a string; it is 1.'],
  ['a list', [['a']], "text must be a string; it is [ 'a' ]."],
  [
    'a content type that is not a string',
    ['a', { contentType: 1 }],
    'contentType must be a media type such as text/markdown',
  ],
  ['options that are not an object', ['a', 'text/plain'], 'The options must be a plain object; they are "text/plain".'],
])('a wrong text to show or to highlight is refused: %s', async (_name, given, message) => {
  const engine = await openEngine({ database: path.join(folderOf(), 'waymark.db'), model: createHashEmbedder() });
  const refused = { code: REFUSED, message: expect.stringContaining(message) };
  const [text, options] = given as [string, object];
  await expect(shownText(text, options)).rejects.toMatchObject(refused);
  await expect(engine.highlight('pears', text, options)).rejects.toMatchObject(refused);
  await engine.close();
});

test('an id that is not a string, or a workspace that does not exist, is refused by a host', async () => {
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model: createHashEmbedder() });
  const object = {} as unknown as string;
  for (const call of [
    () => host.workspace(object),
    () => host.listTokens(object),
    () => host.revokeToken(object),
    () => host.bot(object),
    () => host.createToken({ workspaceId: object, name: 'ci', role: 'admin' }),
  ]) {
    const refused = { code: REFUSED, message: 'id must be an id or name of 1 to 1000 characters; it is {}.' };
    await expect(call()).rejects.toMatchObject(refused);
  }
  const { id } = await host.createWorkspace('acme');
  const { bot } = await (await host.workspace(id)).createBot({ name: 'support' });
  for (const [options, message] of [
    [null, 'The options must be a plain object; they are null.'],
    [{ workspace: {} }, 'workspace must be an id or name of 1 to 1000 characters; it is {}.'],
  ] as const) {
    await expect(host.bot(bot.id, options as unknown as object)).rejects.toMatchObject({ code: REFUSED, message });
  }
  const secret = { code: REFUSED, message: 'secret must be the secret of an upload address; it is {}.' };
  await expect(host.uploadBot(object)).rejects.toMatchObject(secret);
  await expect(host.receive(object, new Uint8Array())).rejects.toMatchObject(secret);
  await expect(host.failUpload(object, 'cut off')).rejects.toMatchObject(secret);
  await expect(host.listTokens('nowhere')).rejects.toMatchObject({ code: 'WORKSPACE_MISSING' });
  await host.close();
});
