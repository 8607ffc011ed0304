import { expect, test } from 'vitest';
import type { EmbedOptions } from '#src/embed/embedder.js';
import { QueryCache } from '#src/embed/query-cache.js';

/** A cache over an embedder that embeds nothing until `finish`, and the signals of what it was asked for. */
function cached() {
  const asked: { readonly text: string; readonly signal: AbortSignal | undefined; readonly finish: () => void }[] = [];
  const embed = (text: string, { signal }: EmbedOptions) =>
    new Promise<Float32Array>((resolve) => {
      asked.push({ text, signal, finish: () => resolve(Float32Array.of(text.length)) });
    });
  const cache = new QueryCache(embed);
  return { cache, asked };
}

test('callers of one query at the same time share its embedding, each with a copy', async () => {
  const { cache, asked } = cached();
  const both = [cache.get('abc'), cache.get('abc')];
  asked[0]?.finish();
  const [one, other] = await Promise.all(both);
  expect([asked.length, one, one === other]).toEqual([1, Float32Array.of(3), false]);
  expect(await cache.get('abc')).toEqual(one);
  expect(asked.length).toBe(1);
});

test('an embedding is stopped once all who wait for it have aborted, not before', async () => {
  const { cache, asked } = cached();
  const [first, second] = [new AbortController(), new AbortController()];
  const waiting = [cache.get('abc', first), cache.get('abc', second)];
  first.abort('enough');
  await expect(waiting[0]).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' });
  expect(asked[0]?.signal?.aborted).toBe(false);
  second.abort('also enough');
  await expect(waiting[1]).rejects.toMatchObject({ code: 'ABORTED', cause: 'also enough' });
  expect(asked[0]?.signal?.aborted).toBe(true);
});

test('a query whose embedding was stopped is embedded again when it is asked again', async () => {
  const { cache, asked } = cached();
  await expect(cache.get('abc', { signal: AbortSignal.abort('no') })).rejects.toMatchObject({
    code: 'ABORTED',
    cause: 'no',
  });
  const again = cache.get('abc');
  asked[1]?.finish();
  expect([await again, asked.length]).toEqual([Float32Array.of(3), 2]);
});

test('the last 128 queries are kept', async () => {
  const { cache, asked } = cached();
  const ask = async (text: string) => {
    const embedding = cache.get(text);
    asked.at(-1)?.finish();
    await embedding;
  };
  for (let i = 0; i < 128; i++) await ask(`question ${i}`);
  await ask('question 0');
  expect(asked.length).toBe(128);
  await ask('another question');
  await ask('question 0');
  expect(asked.length).toBe(129);
  await ask('question 1');
  expect(asked.length).toBe(130);
});
