import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Embedder, openEmbedder } from 'waymark';
import { BUNDLED, cosine } from './models.js';

async function bundled(): Promise<Embedder> {
  const { embedder } = await openEmbedder();
  return embedder;
}

describe('the bundled model', () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await bundled();
  });
  afterAll(() => embedder.close());

  test('has the published card', () => {
    expect(embedder.card).toMatchObject({
      id: 'waymark-docs-small-en',
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
  ])('finds "%s" more similar to "%s" than to "%s"', async (text, near, far) => {
    const [a, b, c] = await embedder.embedPassages([text, near, far]);
    expect(cosine(a, b)).toBeGreaterThan(cosine(a, c) + 0.1);
  });

  test('has cosines in the published range for related texts', async () => {
    const [a, b] = await embedder.embedPassages(['How old are you?', 'What is your age?']);
    expect(cosine(a, b)).toBeGreaterThan(0.85);
    expect(cosine(a, b)).toBeLessThan(1);
  });

  test('ranks the passage that answers a query first', async () => {
    const query = await embedder.embedQuery('how do I undo the last commit?');
    const passages = await embedder.embedPassages([
      'git reset --soft HEAD~1 takes back a commit and keeps its changes.',
      'git clone copies a repository into a new folder.',
      'The weather will be fine tomorrow.',
    ]);
    const scores = passages.map((passage) => cosine(query, passage));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test('returns embeddings of length 1', async () => {
    const embeddings = await embedder.embedPassages(['one', 'a longer text with some words in it', '']);
    for (const embedding of embeddings) expect(cosine(embedding, embedding)).toBeCloseTo(1, 5);
  });

  test('gives a text the same vector, bit for bit, alone, among others and after a restart', async () => {
    const text = 'The relay keeps undelivered messages for seven days.';
    const others = Array.from({ length: 40 }, (_, i) => `${'word '.repeat(i * 5)}number ${i}`);
    const [alone] = await embedder.embedPassages([text]);
    const among = await embedder.embedPassages([...others.slice(0, 20), text, ...others.slice(20)]);
    const again = await bundled();
    const [restarted] = await again.embedPassages([text]);
    await again.close();
    expect(among[20]).toEqual(alone);
    expect(restarted).toEqual(alone);
  });

  test('rejects a text that is too long instead of cutting it', async () => {
    const text = 'word '.repeat(511);
    expect(await embedder.countTokens(text)).toBe(513);
    await expect(embedder.embedPassages([text])).rejects.toMatchObject({
      code: 'TEXT_TOO_LONG',
      message: 'A text of 513 tokens exceeds the limit of waymark-docs-small-en (512): split it first.',
    });
    await expect(embedder.embedPassages(['word '.repeat(510)])).resolves.toHaveLength(1);
  });

  test('embeds a query that is too long in parts, all of which count', async () => {
    const start = 'restart the server after a crash '.repeat(60);
    const [whole, first, last, unrelated] = await Promise.all([
      embedder.embedQuery(`${start} ${'roses and tulips '.repeat(200)}`),
      embedder.embedQuery('restart the server after a crash'),
      embedder.embedQuery('roses and tulips'),
      embedder.embedQuery('how to file a tax return'),
    ]);
    expect(cosine(whole, whole)).toBeCloseTo(1, 5);
    for (const part of [first, last]) expect(cosine(whole, part)).toBeGreaterThan(cosine(whole, unrelated) + 0.15);
  });

  test('rejects an aborted call and stays usable', async () => {
    const aborted = embedder.embedPassages(['a', 'b'], { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(embedder.embedPassages(['a'])).resolves.toHaveLength(1);
  });

  test('rejects waiting texts on abort', async () => {
    const stopping = new AbortController();
    const texts = Array.from({ length: 200 }, (_, i) => `text number ${i}`);
    const stopped = embedder.embedPassages(texts, { signal: stopping.signal });
    stopping.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('an aborted query is rejected for its caller, but embedded for others who ask it, then or later', async () => {
    const stopping = new AbortController();
    const [stopped, other] = [
      embedder.embedQuery('how is a kettle descaled?', { signal: stopping.signal }),
      embedder.embedQuery('how is a kettle descaled?'),
    ];
    stopping.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
    const again = await embedder.embedQuery('how is a kettle descaled?', { signal: new AbortController().signal });
    expect(await other).toEqual(again);
  });
});

test('closing an embedder rejects calls under way and later ones', async () => {
  const embedder = await bundled();
  const underWay = embedder.embedPassages(['one', 'two', 'three', 'four']);
  const rejected = expect(underWay).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await embedder.close();
  await rejected;
  await expect(embedder.embedQuery('five')).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
});

test('a model opens by the path of its folder', async () => {
  const { embedder, location } = await openEmbedder(BUNDLED);
  expect(location).toEqual({ folder: BUNDLED });
  expect(embedder.card.fingerprint).toBe((await bundled()).card.fingerprint);
});
