import { expect, test } from 'vitest';
import { GUIDE, indexed } from './indexed.js';

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

const PLAIN = '## Only\n\napples\n';

test('includeBreadcrumb puts the headings of the match and a blank line in front of content', async () => {
  const engine = await indexed({ 'a.md': GUIDE });
  const content = async (contextDepth: number) =>
    (await engine.searchFiles({ query: 'plums', limit: 1, contextDepth, includeBreadcrumb: true })).passages[0]
      ?.content;
  expect(await content(0)).toBe('Guide > Configure > Limits\n\nplums');
  expect(await content(1)).toBe('Guide > Configure > Limits\n\npears\n\n### Limits\n\nplums');
});

test('includeBreadcrumb begins with the title of the front matter', async () => {
  const engine = await indexed({ 'a.md': `---\ntitle: Manual\n---\n${PLAIN}` });
  const { passages } = await engine.searchFiles({ query: 'apples', includeBreadcrumb: true });
  expect(passages[0]?.content).toBe('Manual > Only\n\napples');
});

test('includeBreadcrumb adds nothing to a passage without headings', async () => {
  const engine = await indexed({ 'a.md': 'apples\n' });
  const { passages } = await engine.searchFiles({ query: 'apples', includeBreadcrumb: true, withContext: true });
  expect(passages).toMatchObject([{ content: 'apples', context: [{ type: 'current', text: 'apples' }] }]);
});

test('a passage has no context unless withContext is true', async () => {
  const engine = await indexed({ 'a.md': GUIDE });
  for (const withContext of [undefined, false]) {
    const { passages } = await engine.searchFiles({ query: 'apples', withContext });
    expect(passages.some((passage) => 'context' in passage)).toBe(false);
  }
});

test('withContext lists the neighbours and the passage itself in file order, with offsets and types', async () => {
  const engine = await indexed({ 'a.md': GUIDE });
  const { passages } = await engine.searchFiles({ query: 'pears', limit: 1, contextDepth: 2, withContext: true });
  expect(passages[0]?.context).toStrictEqual([
    { id: UUID, text: 'Opening words.', offset: -2, type: 'preceding' },
    { id: UUID, text: 'apples', offset: -1, type: 'preceding' },
    { id: UUID, text: 'pears', offset: 0, type: 'current' },
    { id: UUID, text: 'plums', offset: 1, type: 'subsequent' },
  ]);
});

test('withContext leaves content as it is without it', async () => {
  const engine = await indexed({ 'a.md': GUIDE });
  const { passages: plain } = await engine.searchFiles({ query: 'pears' });
  const { passages } = await engine.searchFiles({ query: 'pears', withContext: true });
  expect(passages.map(({ context: _, ...passage }) => passage)).toStrictEqual(plain);
});

test('withContext reaches as far as contextDepth: with 0 there is the passage alone', async () => {
  const engine = await indexed({ 'a.md': GUIDE });
  const offsets = async (contextDepth: number | undefined) => {
    const { passages } = await engine.searchFiles({ query: 'pears', limit: 1, contextDepth, withContext: true });
    return passages[0]?.context?.map(({ offset }) => offset);
  };
  expect(await offsets(0)).toEqual([0]);
  expect(await offsets(undefined)).toEqual([-1, 0, 1]);
  expect(await offsets(10)).toEqual([-2, -1, 0, 1]);
});

// The contract gives the item a type of its own but no parameter: includeBreadcrumb is the one that asks for
// breadcrumbs, and callers who want both give both (its "call patterns met in the wild"). Without it the texts of
// `context` are the file's own, as a caller who joins them expects.
test('withContext and includeBreadcrumb: the context begins with the breadcrumb, without id and offset', async () => {
  const engine = await indexed({ 'a.md': GUIDE });
  const request = { query: 'plums', limit: 1, contextDepth: 0, withContext: true };
  const { passages } = await engine.searchFiles({ ...request, includeBreadcrumb: true });
  expect(passages[0]?.context).toStrictEqual([
    { text: 'Guide > Configure > Limits', type: 'breadcrumb' },
    { id: UUID, text: 'plums', offset: 0, type: 'current' },
  ]);
  const { passages: without } = await engine.searchFiles(request);
  expect(without[0]?.context).toStrictEqual([{ id: UUID, text: 'plums', offset: 0, type: 'current' }]);
});

test('an id names the same passage in every answer', async () => {
  const engine = await indexed({ 'a.md': GUIDE });
  const { passages } = await engine.searchFiles({ query: 'apples', contextDepth: 10, withContext: true });
  const ids = passages.map(({ context }) => context?.map(({ id }) => id));
  expect(new Set(ids.map((list) => JSON.stringify(list))).size).toBe(1);
  expect(new Set(ids[0]).size).toBe(4);
  const hits = await engine.search('apples');
  const inOrder = hits.sort((a, b) => a.passage.position - b.passage.position).map(({ passage }) => passage.id);
  expect(ids[0]).toEqual(inOrder);
});

test('a passage that did not change keeps its id when its file is indexed again', async () => {
  const engine = await indexed({ 'a.md': GUIDE });
  const ids = async () => {
    const { passages } = await engine.searchFiles({ query: 'apples', limit: 1, contextDepth: 10, withContext: true });
    return Object.fromEntries((passages[0]?.context ?? []).map(({ text, id }) => [text, id]));
  };
  const { 'Opening words.': _, ...before } = await ids();
  await engine.indexFile('a.md', GUIDE.replace('Opening words.', 'Other words.\n\n## New\n\nquinces'));
  expect(await ids()).toMatchObject(before);
});
