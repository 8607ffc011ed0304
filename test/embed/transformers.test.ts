import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Embedder } from 'waymark';
import { openEmbedder } from '#src/embed/open.js';

/** The bundled model, as the product opens it. */
async function bundled(): Promise<Embedder> {
  const { embedder } = await openEmbedder();
  return embedder;
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, element, i) => sum + element * (b[i] ?? 0), 0);
}

describe('the bundled model', () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await bundled();
  });
  afterAll(() => embedder.close());

  test('its card is the published one', () => {
    expect(embedder.card).toMatchObject({
      id: 'bge-small-en-v1.5',
      dimensions: 384,
      pooling: 'cls',
      queryPrefix: 'Represent this sentence for searching relevant passages: ',
      passagePrefix: '',
      maxTokens: 512,
    });
    expect(embedder.card.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['The cat sits on the mat.', 'A cat is resting on a rug.', 'Interest rates rose by half a point.'],
    ['How do I reset my password?', 'Steps to recover access to your account', 'The bridge was built in 1932.'],
    ['The server refuses connections.', 'Connecting to the host fails.', 'She planted roses in the garden.'],
    ['A man is playing the guitar.', 'Someone plays a musical instrument.', 'The stock is sold out.'],
    ['Water boils at 100 degrees.', 'The boiling point of water is 100 °C.', 'Dogs bark at strangers.'],
  ])('"%s" is nearer to "%s" than to "%s"', async (text, near, far) => {
    const [a, b, c] = (await embedder.embedPassages([text, near, far])) as [Float32Array, Float32Array, Float32Array];
    expect(cosine(a, b)).toBeGreaterThan(cosine(a, c) + 0.1);
  });

  test('cosine similarities of the model lie where its authors say: between 0.6 and 1 for related texts', async () => {
    const [a, b] = (await embedder.embedPassages(['How old are you?', 'What is your age?'])) as [
      Float32Array,
      Float32Array,
    ];
    expect(cosine(a, b)).toBeGreaterThan(0.85);
    expect(cosine(a, b)).toBeLessThan(1);
  });

  test('a query finds the passage that answers it', async () => {
    const query = await embedder.embedQuery('how do I undo the last commit?');
    const passages = await embedder.embedPassages([
      'git reset --soft HEAD~1 takes back a commit and keeps its changes.',
      'git clone copies a repository into a new folder.',
      'The weather will be fine tomorrow.',
    ]);
    const scores = passages.map((passage) => cosine(query, passage));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test('embeddings have length 1', async () => {
    const embeddings = await embedder.embedPassages(['one', 'a longer text with some words in it', '']);
    for (const embedding of embeddings) expect(cosine(embedding, embedding)).toBeCloseTo(1, 5);
  });

  test('the vector of a text is the same to the bit alone, in a crowd and after a restart', async () => {
    const text = 'The relay keeps undelivered messages for seven days.';
    const crowd = Array.from({ length: 40 }, (_, i) => `${'word '.repeat(i * 5)}number ${i}`);
    const [alone] = await embedder.embedPassages([text]);
    const among = await embedder.embedPassages([...crowd.slice(0, 20), text, ...crowd.slice(20)]);
    const again = await bundled();
    const [restarted] = await again.embedPassages([text]);
    await again.close();
    expect(among[20]).toEqual(alone);
    expect(restarted).toEqual(alone);
  });

  test('a text longer than the model reads is an error, never cut', async () => {
    const text = 'word '.repeat(511);
    expect(await embedder.countTokens(text)).toBe(513);
    await expect(embedder.embedPassages([text])).rejects.toMatchObject({
      code: 'TEXT_TOO_LONG',
      message: 'A text of 513 tokens is longer than bge-small-en-v1.5 reads (512): split it first.',
    });
    await expect(embedder.embedPassages(['word '.repeat(510)])).resolves.toHaveLength(1);
  });

  test('a query longer than the model reads is embedded whole, in parts', async () => {
    const start = 'restart the server after a crash '.repeat(60);
    const [whole, same, other] = await Promise.all([
      embedder.embedQuery(`${start} ${'roses and tulips '.repeat(200)}`),
      embedder.embedQuery('roses and tulips'),
      embedder.embedQuery('restart the server after a crash'),
    ]);
    expect(cosine(whole, whole)).toBeCloseTo(1, 5);
    expect(cosine(whole, same)).toBeGreaterThan(0.7);
    expect(cosine(whole, other)).toBeGreaterThan(0.7);
  });

  test('an aborted call rejects and leaves the embedder usable', async () => {
    const aborted = embedder.embedPassages(['a', 'b'], { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(embedder.embedPassages(['a'])).resolves.toHaveLength(1);
  });

  test('an abort stops what waits', async () => {
    const stopping = new AbortController();
    const texts = Array.from({ length: 200 }, (_, i) => `text number ${i}`);
    const stopped = embedder.embedPassages(texts, { signal: stopping.signal });
    stopping.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

test('a closed embedder says so, to calls under way and to later ones', async () => {
  const embedder = await bundled();
  const underWay = embedder.embedPassages(['one', 'two', 'three', 'four']);
  const told = expect(underWay).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await embedder.close();
  await told;
  await expect(embedder.embedQuery('five')).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
});

test('a model folder is opened by its path', async () => {
  const folder = path.resolve('models/bge-small-en-v1.5');
  const { embedder, location } = await openEmbedder(folder);
  expect(location).toEqual({ folder });
  expect(embedder.card.fingerprint).toBe((await bundled()).card.fingerprint);
});
