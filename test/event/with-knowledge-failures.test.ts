import { expect, test } from 'vitest';
import {
  type FileSearch,
  type IncomingEvent,
  type KnowledgeBase,
  WaymarkError,
  type WithKnowledgeOptions,
  withKnowledge,
} from 'waymark';
import { indexed } from '../search/indexed.js';
import { message } from './events.js';

/** A list of what failed, and the callback that fills it. */
function failures() {
  const failed: [string, unknown][] = [];
  const onError = (error: unknown, { name }: KnowledgeBase) => void failed.push([name, error]);
  return { failed, onError };
}

const A = { name: 'a', tags: { kb: 'a' } };
const B = { name: 'b', tags: { kb: 'b' } };
const C = { name: 'c', tags: { kb: 'c' } };

/** Searches files, but not where the network is down for a knowledge base. */
async function brokenFor(...names: readonly string[]): Promise<FileSearch> {
  const engine = await indexed({});
  for (const kb of ['a', 'b', 'c']) await engine.indexFile(`${kb}.md`, `apples ${kb}`, { tags: { kb } });
  return {
    searchFiles: async (request) => {
      if (names.includes(String(request.tags?.kb))) throw new Error(`no way to ${request.tags?.kb}`);
      return engine.searchFiles(request);
    },
  };
}

test('what could be queried is there; what failed is told, in order, and not included', async () => {
  const { failed, onError } = failures();
  const search = await brokenFor('a', 'c');
  const event = await withKnowledge(message('apples'), { search, knowledgeBases: [A, B, C], onError });
  expect(event.kb).toEqual({
    included: [B],
    results: [{ dsFriendlyName: 'b.md', content: 'apples b', score: expect.any(Number), key: 'b.md' }],
  });
  expect(failed).toEqual([
    ['a', new Error('no way to a')],
    ['c', new Error('no way to c')],
  ]);
});

test('when all fail the event comes back as it is', async () => {
  const { failed, onError } = failures();
  const engine = await indexed({ 'a.md': 'apples' });
  await engine.close();
  const event = message('apples');
  expect(await withKnowledge(event, { search: engine, knowledgeBases: [A, B], onError })).toBe(event);
  const closed = new WaymarkError('ENGINE_CLOSED', 'The engine is closed: open it again with openEngine.');
  expect(failed).toEqual([
    ['a', closed],
    ['b', closed],
  ]);
});

test('a search that throws at once, or answers something else, has failed', async () => {
  const { failed, onError } = failures();
  const event = message('apples');
  for (const searchFiles of [() => JSON.parse('{'), async () => ({}), async () => ({ passages: [{ score: 1 }] })]) {
    const search = { searchFiles } as FileSearch;
    expect(await withKnowledge(event, { search, knowledgeBases: [A], onError })).toBe(event);
  }
  expect(failed).toEqual([
    ['a', expect.any(SyntaxError)],
    ['a', expect.any(TypeError)],
    ['a', expect.any(TypeError)],
  ]);
});

test('onError is waited for, and what it throws is thrown', async () => {
  const search = await brokenFor('a');
  const said: string[] = [];
  const options = { search, knowledgeBases: [A, B] };
  const later = async (error: unknown) => {
    await search.searchFiles({ query: 'apples' });
    said.push(String(error));
  };
  await withKnowledge(message('apples'), { ...options, onError: later });
  expect(said).toEqual(['Error: no way to a']);
  const rethrow = async (error: unknown) => {
    throw error;
  };
  await expect(withKnowledge(message('apples'), { ...options, onError: rethrow })).rejects.toThrow('no way to a');
});

test.each([
  [{ search: undefined }, 'search must be an object that has searchFiles, such as an engine; it is missing.'],
  [{ search: {} }, 'search must be an object that has searchFiles, such as an engine; it is {}.'],
  [{ knowledgeBases: undefined }, 'knowledgeBases must be a list of { name, tags? }; it is missing.'],
  [{ knowledgeBases: [{ tags: {} }] }, 'knowledgeBases must be a list of { name, tags? }; it is [ { tags: {} } ].'],
  [{ limit: 51 }, 'limit must be an integer from 1 to 50; it is 51.'],
  [{ minScore: 2 }, 'minScore must be a number from 0 to 1; it is 2.'],
  [{ contextDepth: 1.5 }, 'contextDepth must be an integer from 0 to 10; it is 1.5.'],
  [
    { tags: 'a' },
    'tags must be an object of tag names to a value, a list of values, or { not: value or values }; it is "a".',
  ],
  [{ onError: undefined }, 'onError must be a function that is told of a search that failed; it is missing.'],
])('%o is told before anything is searched', async (wrong, said) => {
  const { onError } = failures();
  const options = { search: await brokenFor('a'), knowledgeBases: [A], onError, ...wrong } as WithKnowledgeOptions;
  const error = expect.objectContaining({ code: 'INVALID_ARGUMENT', message: said });
  await expect(withKnowledge(message(''), options)).rejects.toThrow(error);
});

test('an event without a preview is told', async () => {
  const { preview, ...event } = message('apples');
  const options = { search: await brokenFor(), knowledgeBases: [A], ...failures() };
  await expect(withKnowledge(event as IncomingEvent, options)).rejects.toThrow(
    'preview must be a text; it is missing.',
  );
  expect(preview).toBe('apples');
});
