import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, type Embedder, WaymarkError } from 'waymark';
import { openConnection } from '#src/sqlite/connection/open-connection.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

const hash = createHashEmbedder();

const TWO_SENTENCES = 'The yak was brushed this morning. The wolf slept through the day.';

/** An embedder of one's own: the hash embedder except for some members, which need not have the right types. */
function ownEmbedder(members: Record<string, unknown>): Embedder {
  return { ...hash, ...members } as Embedder;
}

async function keysOf(hits: Promise<readonly { readonly file: { readonly key: string } }[]>): Promise<string[]> {
  return (await hits).map(({ file }) => file.key);
}

test.each<[string, (vector: Float32Array) => unknown]>([
  ['an array of 64-bit floats', (vector) => Float64Array.from(vector)],
  ['an array of numbers', (vector) => [...vector]],
  ['part of a larger buffer', (vector) => new Float32Array([0, ...vector, 0]).subarray(1, -1)],
])('an embedding may be %s', async (_name, as) => {
  const model = ownEmbedder({
    embedPassages: async (texts: readonly string[]) => (await hash.embedPassages(texts)).map(as),
    embedQuery: async (text: string) => as(await hash.embedQuery(text)),
  });
  const engine = await engineOf({ model });
  await engine.indexFile('yak.md', 'A yak.');
  await engine.indexFile('wolf.md', 'A wolf.');
  expect(await keysOf(engine.search('wolf', { mode: 'dense' }))).toEqual(['wolf.md', 'yak.md']);
});

test.each<[string, unknown, string]>([
  ['no list', undefined, 'hash returned no list of embeddings for 1 texts: one for each is needed.'],
  ['a list with a hole', new Array(1), 'hash returned something other than an array of numbers'],
  ['integers of 64 bits', [new BigInt64Array(64)], 'hash returned something other than an array of numbers'],
  ['strings', [Array(64).fill('0')], 'hash returned something other than an array of numbers'],
  ['bytes', [Buffer.alloc(64, 1)], 'The embedding has length 8, not 1'],
  ['NaN', [new Float32Array(64).fill(Number.NaN)], 'The embedding has length NaN, not 1'],
])('an embedder that returns %s is refused, and the engine stays as it was', async (_name, answer, message) => {
  let isWrong = true;
  const model = ownEmbedder({
    embedPassages: async (texts: readonly string[]) => (isWrong ? answer : hash.embedPassages(texts)),
  });
  const engine = await engineOf({ model });
  const refused = { code: 'EMBEDDING_INVALID', message: expect.stringContaining(message) };
  await expect(engine.indexFile('yak.md', 'A yak.')).rejects.toMatchObject(refused);
  expect(await engine.hasFile('yak.md')).toBe(false);
  isWrong = false;
  await engine.indexFile('yak.md', 'A yak.');
  expect(await keysOf(engine.search('yak', { mode: 'dense' }))).toEqual(['yak.md']);
});

test.each<[string, () => unknown, string]>([
  ['returns nothing', async () => undefined, 'EMBEDDING_INVALID'],
  ['returns a vector of other dimensions', async () => Float32Array.of(1), 'EMBEDDING_INVALID'],
  ['rejects', async () => Promise.reject(new Error('no network')), 'EMBEDDER_FAILED'],
  ['rejects with a value that is not an Error', () => Promise.reject('no network'), 'EMBEDDER_FAILED'],
  [
    'throws before it returns a promise',
    () => {
      throw new Error('no network');
    },
    'EMBEDDER_FAILED',
  ],
  ['rejects with a code of ours', () => Promise.reject(new WaymarkError('BUSY', 'Busy.')), 'EMBEDDER_FAILED'],
])('a search and a highlight fail if embedQuery %s', async (_name, embedQuery, code) => {
  const engine = await engineOf({ model: ownEmbedder({ embedQuery }) });
  await engine.indexFile('yak.md', 'A yak.');
  await expect(engine.search('yak')).rejects.toMatchObject({ code });
  await expect(engine.highlight('yak', TWO_SENTENCES)).rejects.toMatchObject({ code });
  expect(await keysOf(engine.search('yak', { mode: 'lexical' }))).toEqual(['yak.md']);
});

test('a highlight fails once if both calls of the embedder fail', async () => {
  const fail = () => {
    throw new Error('no network');
  };
  const engine = await engineOf({
    model: ownEmbedder({ embedQuery: () => Promise.reject('no network'), embedPassages: fail }),
  });
  const failed = engine.highlight('yak', TWO_SENTENCES);
  await expect(failed).rejects.toMatchObject({ code: 'EMBEDDER_FAILED' });
});

test.each<[string, (texts: string[]) => void]>([
  ['prefixes its texts in place', (texts) => texts.splice(0, texts.length, ...texts.map((text) => `passage: ${text}`))],
  ['reverses its texts', (texts) => texts.reverse()],
  ['empties the list of its texts', (texts) => texts.splice(0)],
])('an embedder that %s gives each text its own embedding', async (_name, change) => {
  const model = ownEmbedder({
    embedPassages: async (texts: string[]) => {
      const embeddings = await hash.embedPassages(texts);
      change(texts);
      return embeddings;
    },
  });
  const engine = await engineOf({ model });
  await engine.indexFile('a.md', '# One\n\nyak yak yak\n\n# Two\n\nwolf wolf wolf');
  const [hit] = await engine.search('wolf', { mode: 'dense' });
  expect(hit?.passage.content).toBe('wolf wolf wolf');
});

test('an embedder may use its vectors again', async () => {
  const pool = [new Float32Array(64), new Float32Array(64)];
  const query = new Float32Array(64);
  const model = ownEmbedder({
    embedPassages: async (texts: readonly string[]) => {
      const embeddings = await hash.embedPassages(texts);
      await setImmediate();
      for (const [i, vector] of pool.entries()) vector.set(embeddings[i] ?? []);
      return pool.slice(0, texts.length);
    },
    embedQuery: async (text: string) => {
      const embedding = await hash.embedQuery(text);
      await setImmediate();
      query.set(embedding);
      return query;
    },
  });
  const engine = await engineOf({ model });
  const words = ['yak', 'wolf', 'pump', 'tide'];
  await Promise.all(words.map((word) => engine.indexFile(`${word}.md`, word)));
  const found = await Promise.all(words.map((word) => keysOf(engine.search(word, { mode: 'dense', limit: 1 }))));
  expect(found).toEqual([['yak.md'], ['wolf.md'], ['pump.md'], ['tide.md']]);
});

test('concurrent first searches measure the similarity scale once; a failed measurement is not kept', async () => {
  const { similarity: _, ...card } = hash.card;
  let asked = 0;
  let isDown = true;
  const model = ownEmbedder({
    card,
    embedQuery: async (text: string) => {
      asked++;
      if (isDown && text !== 'yak') throw new Error('no network');
      return hash.embedQuery(text);
    },
  });
  const engine = await engineOf({ model });
  await engine.indexFile('yak.md', 'A yak.');
  await expect(engine.search('yak')).rejects.toMatchObject({ code: 'EMBEDDER_FAILED' });
  [isDown, asked] = [false, 0];
  const searches = await Promise.all([1, 2, 3].map(() => keysOf(engine.search('yak'))));
  expect(searches).toEqual([['yak.md'], ['yak.md'], ['yak.md']]);
  // The three questions, and one for each of the reference pairs.
  expect(asked).toBe(3 + 32);
});

test('a search answers though the similarity scale that it measured cannot be stored', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const { similarity: _, ...card } = hash.card;
  const impatient: object = { busyTimeout: 1 };
  const engine = await engineOf({ database, model: ownEmbedder({ card }), ...impatient });
  await engine.indexFile('yak.md', 'A yak.');
  const other = openConnection(database, { create: false });
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  expect(await keysOf(engine.search('yak'))).toEqual(['yak.md']);
});

test('an embedder whose counter takes a function is INVALID_ARGUMENT', async () => {
  const model = ownEmbedder({ counter: { ...hash.counter, argument: { count: () => 1 } } });
  await expect(engineOf({ model })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message:
      'counter.argument must be a value that can be cloned, so without functions; it is { count: [Function: count] }.',
  });
});

test.each(['before the search', 'while its query is embedded'])(
  'a search that is aborted %s waits for no embedding',
  async (moment) => {
    const stopping = new AbortController();
    let asked = false;
    const embedQuery = () => {
      asked = true;
      stopping.abort();
      return new Promise<Float32Array>(() => {});
    };
    const engine = await engineOf({ model: ownEmbedder({ embedQuery }) });
    await engine.indexFile('yak.md', 'A yak.');
    if (moment === 'before the search') stopping.abort();
    const searching = engine.searchFiles({ query: 'yak' }, { signal: stopping.signal });
    await expect(searching).rejects.toMatchObject({ code: 'ABORTED' });
    expect(asked).toBe(moment !== 'before the search');
  },
);

test('a search that is aborted tells its embedder', async () => {
  const stopping = new AbortController();
  const told = new Promise((resolve) => {
    const embedQuery = (_: string, { signal }: { signal?: AbortSignal } = {}) => {
      signal?.addEventListener('abort', () => resolve(signal.reason));
      stopping.abort('enough');
      return new Promise<Float32Array>(() => {});
    };
    const searching = engineOf({ model: ownEmbedder({ embedQuery }) }).then(async (engine) => {
      await engine.indexFile('yak.md', 'A yak.');
      return engine.searchFiles({ query: 'yak' }, { signal: stopping.signal });
    });
    searching.catch(() => {});
  });
  expect(await told).toBe('enough');
});

test('several texts given to one key at the same time are embedded once each', async () => {
  let embedded = 0;
  const model = ownEmbedder({
    embedPassages: (texts: readonly string[]) => {
      embedded += texts.length;
      return hash.embedPassages(texts);
    },
  });
  const engine = await engineOf({ model });
  const words = Array.from({ length: 30 }, (_, i) => `word${i}`);
  await Promise.all(words.map((word) => engine.indexFile('a.md', word)));
  expect(embedded).toBe(30);
});

test.each<[string, object, string]>([
  ['dimensions of NaN', { dimensions: Number.NaN }, 'card.dimensions must be an integer of at least 1; it is NaN.'],
  ['dimensions of 1.5', { dimensions: 1.5 }, 'card.dimensions must be an integer of at least 1; it is 1.5.'],
  ['no fingerprint', { fingerprint: '' }, 'card.fingerprint must be a string that is not empty; it is "".'],
  ['no maxTokens', { maxTokens: undefined }, 'card.maxTokens must be an integer of at least 16; it is missing.'],
  ['an empty scale', { similarity: {} }, 'card.similarity must be { unrelated, related }, two cosines'],
  [
    'a scale whose ends are swapped',
    { similarity: { unrelated: 1, related: 0 } },
    'card.similarity must be { unrelated, related }',
  ],
])('an embedder whose card has %s is INVALID_ARGUMENT', async (_name, fields, message) => {
  const model = ownEmbedder({ card: { ...hash.card, ...fields } });
  const refused = { code: 'INVALID_ARGUMENT', message: expect.stringContaining(message) };
  await expect(engineOf({ model })).rejects.toMatchObject(refused);
});

test('the card of a status cannot be changed', async () => {
  const engine = await engineOf({ model: ownEmbedder({}) });
  const { model } = await engine.status();
  expect(() => Object.assign(model, { dimensions: 5 })).toThrow(TypeError);
  await engine.indexFile('yak.md', 'A yak.');
  expect(await keysOf(engine.search('yak'))).toEqual(['yak.md']);
});

test('an embedder with the fingerprint of another one, but other dimensions, is refused', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await engineOf({ database });
  await engine.indexFile('yak.md', 'A yak.');
  await engine.createBot({ name: 'other' });
  const short = createHashEmbedder({ dimensions: 32 });
  const model = { ...short, card: { ...short.card, fingerprint: hash.card.fingerprint } };
  const message =
    'hash has 32 dimensions and the fingerprint of hash, which has 64: give it a fingerprint of its own. ' +
    'If it is that model, run waymark doctor --repair.';
  for (const bot of ['default', 'other']) {
    await expect(engineOf({ database, bot, model })).rejects.toMatchObject({ code: 'MODEL_INVALID', message });
  }
  expect(await keysOf(engine.search('yak'))).toEqual(['yak.md']);
});

const METHODS = ['embedPassages', 'embedQuery', 'close'] as const;

test.each(METHODS)('an embedder whose %s is undefined is INVALID_ARGUMENT', async (method) => {
  const opened = engineOf({ model: ownEmbedder({ [method]: undefined }) });
  await expect(opened).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: `${method} must be a function; it is missing.`,
  });
});

test.each(METHODS)('an embedder without %s is INVALID_ARGUMENT', async (method) => {
  const { [method]: _, ...others } = hash;
  await expect(engineOf({ model: others as Embedder })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: `${method} must be a function; it is missing.`,
  });
});
