import { renameSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createHashEmbedder } from 'waymark';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { options } from './markdown/counting.js';

/** The breadcrumb of the only passage of a file of this name. */
async function breadcrumbOf(key: string, text = 'Feed the starter daily.'): Promise<readonly string[] | undefined> {
  const engine = await engineOf({ model: createHashEmbedder() });
  await engine.indexFile(key, text);
  const [hit] = await engine.search('feed the starter');
  return hit?.passage.breadcrumb;
}

test.each([
  ['sourdough.md', ['sourdough']],
  ['notes/getting-started.mdx', ['getting started']],
  ['snake_case__name.markdown', ['snake case name']],
  ['Chapter 3 - The oven.md', ['Chapter 3 - The oven']],
  ['2024-03-01-stand-up.md', ['2024-03-01 stand up']],
  ['v1.2-release notes.txt', ['v1.2 release notes']],
  ['kitchen/README.md', ['kitchen']],
  ['kitchen/_index.md', ['kitchen']],
  ['パン.md', ['パン']],
])('a file without a title is titled by its name in words: %s', async (key, breadcrumb) => {
  expect(await breadcrumbOf(key)).toEqual(breadcrumb);
});

test.each(['README.md', 'index.md', '2024-03-01.md', '001.md', 'a.md', '.md', '-_-.md'])(
  'a name without a word is no title: %s',
  async (key) => {
    expect(await breadcrumbOf(key)).toEqual([]);
  },
);

test.each([
  ['front matter', '---\ntitle: Bread\n---\n\nFeed the starter daily.', ['Bread']],
  ['a heading of level 1', '# Bread\n\nFeed the starter daily.', ['Bread']],
  ['a heading that is its name', '## Sourdough\n\nFeed the starter daily.', ['Sourdough']],
])('the title of a file comes from %s, before its name', async (_, text, breadcrumb) => {
  expect(await breadcrumbOf('sourdough.md', text)).toEqual(breadcrumb);
});

test.each([
  ['getting-started.md', '## Getting Started', 'Getting Started'],
  ['getting-started.md', '## `getting-started`', 'getting-started'],
  ['set_up.md', '## Set-up', 'Set-up'],
  ['set-up.md', '---\ntitle: Set up\n---\n\n# Set-up', 'Set-up'],
])('a heading with the words of the title is in breadcrumbs once: %s, %s', async (key, heading, breadcrumb) => {
  expect(await breadcrumbOf(key, `${heading}\n\nFeed the starter daily.`)).toEqual([breadcrumb]);
});

test('headings of lower levels are below the title from the name', async () => {
  expect(await breadcrumbOf('sourdough.md', '## Daily\n\nFeed the starter daily.')).toEqual(['sourdough', 'Daily']);
});

const BELOW = 'One two three.\n\n# Oven\n\nFeed the starter daily.\n\n## Heat\n\nFour five six.';

test.each([
  ['text before the title has the title as its breadcrumb', BELOW, [['Oven'], ['Oven'], ['Oven', 'Heat']]],
  [
    'several headings of level 1 are below the title from the name',
    '# Oven\n\nOne two three.\n\n# Starter\n\nFour five six.',
    [
      ['sourdough', 'Oven'],
      ['sourdough', 'Starter'],
    ],
  ],
  [
    'a heading of level 1 after others is not the title',
    '## Sponsors\n\nOne two three.\n\n# Bread\n\nFour five six.',
    [
      ['sourdough', 'Sponsors'],
      ['sourdough', 'Bread'],
    ],
  ],
  [
    'a title from the name is spelled as in a heading with its words',
    '## Sponsors\n\nOne two three.\n\n# Sourdough\n\nFour five six.',
    [['Sourdough', 'Sponsors'], ['Sourdough']],
  ],
])('%s', (_, text, breadcrumbs) => {
  const { passages } = parseMarkdown(text, { ...options(), fallbackTitle: 'sourdough' });
  expect(passages.map(({ breadcrumb }) => breadcrumb)).toEqual(breadcrumbs);
});

test('without a name, the first of several headings of level 1 is the title and heads its own part', () => {
  const { title, passages } = parseMarkdown('# Oven\n\nOne two three.\n\n# Starter\n\nFour five six.', options());
  expect([title, ...passages.map(({ breadcrumb }) => breadcrumb.join())]).toEqual(['Oven', 'Oven', 'Starter']);
});

test('a file that gets another name has the title of that name, and keeps its id', async () => {
  const text = 'Feed the starter daily.';
  const folder = folderOf({ 'sourdough.md': text, 'own.md': '# Own title\n\nThe oven is hot.' });
  const engine = await engineOf({ model: createHashEmbedder() });
  await engine.indexFolder(folder);
  const [before] = await engine.search('feed the starter');
  renameSync(path.join(folder, 'sourdough.md'), path.join(folder, 'rye bread.md'));
  renameSync(path.join(folder, 'own.md'), path.join(folder, 'other.md'));
  expect(await engine.indexFolder(folder)).toMatchObject({ added: 0, updated: 0, moved: 2, removed: 0 });
  const [after] = await engine.search('feed the starter');
  expect([after?.file.id, after?.file.key]).toEqual([before?.file.id, 'rye bread.md']);
  expect(after?.passage.breadcrumb).toEqual(['rye bread']);
  expect((await engine.search('oven'))[0]?.passage.breadcrumb).toEqual(['Own title']);
  expect(await engine.indexFolder(folder)).toMatchObject({ unchanged: 2, moved: 0 });
});
