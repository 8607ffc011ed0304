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

/** A list of failed searches, by knowledge base, and the callback that fills it. */
function failureList() {
  const failed: [string, unknown][] = [];
  const onError = (error: unknown, { name }: KnowledgeBase) => void failed.push([name, error]);
  return { failed, onError };
}

const A = { name: 'a', tags: { kb: 'a' } };
const B = { name: 'b', tags: { kb: 'b' } };
const C = { name: 'c', tags: { kb: 'c' } };

/** A search that fails for the named knowledge bases. */
async function failingFor(...names: readonly string[]): Promise<FileSearch> {
  const engine = await indexed({});
  for (const kb of ['a', 'b', 'c']) await engine.indexFile(`${kb}.md`, `apples ${kb}`, { tags: { kb } });
  return {
    searchFiles: async (request) => {
      if (names.includes(String(request.tags?.kb))) throw new Error(`${request.tags?.kb} is unreachable`);
      return engine.searchFiles(request);
    },
  };
}

test('a failed search is reported in order and not included; the others continue', async () => {
  const { failed, onError } = failureList();
  const search = await failingFor('a', 'c');
  const event = await withKnowledge(message('apples'), { search, knowledgeBases: [A, B, C], onError });
  expect(event.kb).toEqual({
    included: [B],
    results: [{ dsFriendlyName: 'b.md', content: 'apples b', score: expect.any(Number), key: 'b.md' }],
  });
  expect(failed).toEqual([
    ['a', new Error('a is unreachable')],
    ['c', new Error('c is unreachable')],
  ]);
});

test('a filter with a tag named __proto__, which would be lost, is INVALID_ARGUMENT and searches nothing', async () => {
  const tags = JSON.parse('{ "__proto__": "a" }');
  const refused = {
    code: 'INVALID_ARGUMENT',
    message: `knowledgeBases[0].tags must be an object of tag names, none of which is "__proto__", to conditions; it is { ['__proto__']: 'a' }.`,
  };
  const search = { searchFiles: () => Promise.reject(new Error('searched')) };
  const options = { search, knowledgeBases: [{ name: 'a', tags }], onError: failureList().onError };
  await expect(withKnowledge(message('apples'), options)).rejects.toMatchObject(refused);
});

test('when every search fails, the event itself is returned', async () => {
  const { failed, onError } = failureList();
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

test('a search that throws synchronously or returns something else counts as failed', async () => {
  const { failed, onError } = failureList();
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

test('onError is awaited, and its errors are rethrown', async () => {
  const search = await failingFor('a');
  const reported: string[] = [];
  const options = { search, knowledgeBases: [A, B] };
  const later = async (error: unknown) => {
    await search.searchFiles({ query: 'apples' });
    reported.push(String(error));
  };
  await withKnowledge(message('apples'), { ...options, onError: later });
  expect(reported).toEqual(['Error: a is unreachable']);
  const rethrow = async (error: unknown) => {
    throw error;
  };
  await expect(withKnowledge(message('apples'), { ...options, onError: rethrow })).rejects.toThrow('a is unreachable');
});

test.each([
  [{ search: undefined }, 'search must be an object with a searchFiles method, such as an engine; it is missing.'],
  [{ search: {} }, 'search must be an object with a searchFiles method, such as an engine; it is {}.'],
  [{ knowledgeBases: undefined }, 'knowledgeBases must be an array of { name, tags? }; it is missing.'],
  [{ knowledgeBases: [{ tags: {} }] }, 'knowledgeBases must be an array of { name, tags? }; it is [ { tags: {} } ].'],
  [{ limit: 51 }, 'limit must be an integer from 1 to 50; it is 51.'],
  [{ minScore: 2 }, 'minScore must be a number from 0 to 1; it is 2.'],
  [{ contextDepth: 1.5 }, 'contextDepth must be an integer from 0 to 10; it is 1.5.'],
  [
    { tags: 'a' },
    'tags must be an object of tag names to a value, a list of values, or an object of the operators in, not and exists; it is "a".',
  ],
  [{ onError: undefined }, 'onError must be a function that receives the error of a failed search; it is missing.'],
])('%o is an error before anything is searched', async (wrong, expected) => {
  const { onError } = failureList();
  const options = { search: await failingFor('a'), knowledgeBases: [A], onError, ...wrong } as WithKnowledgeOptions;
  const error = expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expected });
  await expect(withKnowledge(message(''), options)).rejects.toThrow(error);
});

test('an event without a preview is an error', async () => {
  const { preview, ...event } = message('apples');
  const options = { search: await failingFor(), knowledgeBases: [A], ...failureList() };
  await expect(withKnowledge(event as IncomingEvent, options)).rejects.toThrow(
    'preview must be a string; it is missing.',
  );
  expect(preview).toBe('apples');
});
