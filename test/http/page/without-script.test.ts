import path from 'node:path';
import { expect, test } from 'vitest';
import { engineOf } from '../../support/engine.js';
import { folderOf } from '../../support/folder.js';
import { type Service, serviceOf } from '../service.js';
import { visit } from './browse.js';

const KEYS = `---
title: Keys
---

## Rotation

Run \`vault rotate\` to replace the active key. The old one keeps decrypting for seven days.

## Loss

A lost key cannot be restored. Revoke it.
`;

async function filled(): Promise<Service> {
  const service = await serviceOf();
  await Promise.all([
    service.put('guides/keys.md', KEYS, { tags: { audience: 'admin' } }),
    service.put('guides/more/tea.md', '# Tea\n\nA kettle boils the water. Rotate the key.'),
    service.put('reference/keys.md', '# Commands\n\nThe command `vault rotate` has no options.'),
  ]);
  return service;
}

/** Three sections that are a passage each. */
const SECTIONS = ['First', 'Second', 'Third'].map((name) => `# ${name}\n\n${name} ${'word '.repeat(150)}`).join('\n\n');

/** Headings of the results, in order: of whole files, their keys. */
function keysIn(source: string): string[] {
  return [...source.matchAll(/<h2 dir="auto"><a [^>]*>([^<]*)/g)].map(([, key = '']) => key);
}

test('an address is answered with breadcrumb, file, lines, score and the passage', async () => {
  const { url } = await filled();
  const { status, source } = await visit(`${url}/?query=vault+rotate+active+key`);
  expect(status).toBe(200);
  expect(source).toContain('value="vault rotate active key"');
  expect(source).toContain('>Keys › Rotation</a></h2>\n<p class="place"><bdi dir="ltr">guides/keys.md</bdi>:7</p>');
  expect(source).toMatch(/aria-label="Score 0\.\d\d of 1"/);
  expect(source).toContain('<code><b>vault</b> <b>rotate</b></code>');
  expect(source).toMatch(/<mark>.*The old one keeps|<mark>Run/);
  expect(source).toContain('<th scope="row">by words</th>');
});

test('results that score near zero are shown only if there is no better one', async () => {
  const service = await serviceOf();
  await service.put('keys.md', KEYS);
  await service.put('tea.md', '# Tea\n\nA kettle boils the water for the key guest.');
  const shown = async (query: string) => keysIn((await visit(`${service.url}/?query=${query}`)).source);
  expect(await shown('rotate+the+active+key')).toEqual(['Keys › Rotation']);
  expect(await shown('unheard+of')).toHaveLength(3);
});

test('where all results score low, the page says that probably none of them answers', async () => {
  const service = await serviceOf();
  await service.put('keys.md', KEYS);
  const note = 'All results score below 0.25: probably none of them answers.';
  expect((await visit(`${service.url}/?query=unheard+of`)).text).toContain(note);
  expect((await visit(`${service.url}/?query=rotate+the+active+key`)).text).not.toContain(note);
});

test('the form filters by folder, path inside it and tag, also negated; empty fields filter nothing', async () => {
  const { url } = await filled();
  const all = ['guides/keys.md', 'guides/more/tea.md', 'reference/keys.md'];
  const rows = [
    ['', all],
    ['&folder=guides', ['guides/keys.md', 'guides/more/tea.md']],
    ['&path=*.md', all],
    ['&folder=guides&path=more', ['guides/more/tea.md']],
    ['&folder=guides&path=guides%2Fmore', ['guides/more/tea.md']],
    ['&folder=guides&path=keys*', ['guides/keys.md']],
    ['&tag=audience%3Dadmin', ['guides/keys.md']],
    ['&tag=audience%3Dadmin&tag=audience%3Dnone', ['guides/keys.md']],
    ['&tag=audience%3Dadmin&tag=product%3Dx', []],
    ['&tag=audience%21%3Dadmin', ['guides/more/tea.md', 'reference/keys.md']],
    ['&tag=audience%3D*', ['guides/keys.md']],
    ['&tag=audience%21%3D*&folder=guides', ['guides/more/tea.md']],
    ['&folder=&path=&tag=', all],
  ] as const;
  for (const [filters, keys] of rows) {
    const { source } = await visit(`${url}/?query=key+rotate${filters}&consolidate=true`);
    expect([filters, keysIn(source).sort()]).toEqual([filters, keys]);
  }
});

test('a folder that was added is chosen by its name', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await engineOf({ database });
  await engine.addFolder(folderOf({ 'leave.md': '# Leave\n\nThirty days a year.' }), { name: 'hr handbook' });
  await engine.indexFolders();
  await engine.indexFile('leave.md', '# Leave\n\nDays of a tree.');
  await engine.close();
  const { url } = await serviceOf({}, { database });
  const { source } = await visit(`${url}/?query=days&folder=hr+handbook&consolidate=true`);
  expect(source).toContain('<option value="hr handbook" selected>hr handbook</option>');
  expect(keysIn(source)).toEqual(['hr handbook/leave.md']);
});

test('the form keeps what was asked, and offers folders and tags', async () => {
  const { url } = await filled();
  const { source } = await visit(`${url}/?query=key&folder=guides&path=more&tag=audience%3Dadmin&consolidate=true`);
  expect(source).toContain('<details class="filters" open>');
  expect(source).toContain('<option value="guides" selected>guides</option><option value="reference">');
  expect(source).toContain('name="path" value="more"');
  expect(source).toContain('name="tag" value="audience=admin"');
  expect(source).toContain('name="tag" value=""');
  expect(source).toContain('<option value="audience=admin"></option>');
  expect(source).toContain('value="true" checked>');
});

test('a file is shown with the passage marked, and leads back to the results', async () => {
  const { url } = await filled();
  const found = await visit(`${url}/?query=lost+key&folder=guides`);
  const [, address = ''] = /href="(\/file\?[^"]*)#passage-\d+">Keys › Loss/.exec(found.source) ?? [];
  const { source, text } = await visit(url + address.replaceAll('&#38;', '&'));
  expect(source).toMatch(/class="passage marked"[^>]*>\s*<p><mark>A <b>lost<\/b> <b>key<\/b>/);
  expect(text).toContain('audience=admin');
  expect(text).toContain('keeps decrypting for seven days');
  const [, result = ''] = /<a id="back" href="\/\?query=lost\+key&#38;folder=guides#([^"]*)">/.exec(source) ?? [];
  expect(found.source).toMatch(new RegExp(`<a id="${result}" href="[^"]*">Keys › Loss`));
});

test('a neighbour has the link to the next one, in its direction', async () => {
  const { url, put } = await serviceOf();
  await put('a.md', SECTIONS);
  const first = await visit(`${url}/page/neighbour?id=a.md&at=0&direction=before`);
  expect(first.source).toMatch(/^<div class="passage neighbour" dir="auto"><p>First \w.*<\/p><\/div>$/);
  const second = await visit(`${url}/page/neighbour?id=a.md&at=1&direction=after`);
  expect(second.source).toMatch(
    /^<div .*<p>Second \w.*<\/p><\/div><a class="more" href="\/file\?id=a.md&#38;from=2#passage-2"/,
  );
  const last = await visit(`${url}/page/neighbour?id=a.md&at=2&direction=after`);
  expect(last.source).toMatch(/^<div class="passage neighbour" dir="auto"><p>Third \w.*<\/p><\/div>$/);
  const refused = await visit(`${url}/page/neighbour?id=none&at=1`);
  expect(refused.source).toMatch(/^<p class="notice" role="alert">There is no file [^<]*<\/p>$/);
  expect((await visit(`${url}/page/neighbour?id=a.md&at=3&direction=after`)).text).toBe('The file ends here.');
});

test('a file that is one result shows all its matches, however many', async () => {
  const { url, put } = await serviceOf();
  const sections = Array.from(
    { length: 30 },
    (_, i) => `## Part ${i}\n\nThe **kettle** ${i}. ${'It boils. '.repeat(40)}`,
  );
  await put('a.md', `# Tea\n\n${sections.join('\n\n')}\n\n## Code\n\n\`\`\`sh\n# kettle\n\`\`\`\n`);
  const { source } = await visit(`${url}/?query=kettle&consolidate=true`);
  expect(source.match(/<h4>Part \d+<\/h4>/g)?.length).toBe(30);
  expect(source.match(/<strong>(<mark>)?<b>kettle<\/b>/g)?.length).toBe(30);
  expect(source).toContain('<code># <b>kettle</b>\n</code>');
  expect(source).not.toContain('## Part');
});

test('a file of many passages is shown in pages of 200', async () => {
  const { url, put } = await serviceOf();
  await put('a.md', Array.from({ length: 250 }, (_, i) => `# H${i}\n\nText ${i}.`).join('\n\n'));
  const first = await visit(`${url}/file?id=a.md`);
  expect(first.source.match(/<section id="passage-/g)?.length).toBe(200);
  expect(first.source).toContain(
    '/file?id=a.md&#38;from=200'.replace('a.md', (first.source.match(/file_\w+/) ?? [''])[0]),
  );
  const second = await visit(`${url}/file?id=a.md&at=249`);
  expect(second.text).toContain('Text 249.');
  expect(second.text).not.toContain('Text 199.');
});

test('the later passages of a file lead back to the result, and none of them counts as found', async () => {
  const { url, put } = await serviceOf();
  await put('a.md', Array.from({ length: 250 }, (_, i) => `# H${i}\n\nText ${i}.`).join('\n\n'));
  const first = await visit(`${url}/file?id=a.md&query=text&at=7`);
  const [, later = ''] = /href="([^"]*)">↓ Later passages/.exec(first.source) ?? [];
  const { source } = await visit(url + later.replaceAll('&#38;', '&'));
  expect(source).toContain('<section id="passage-200"');
  expect(source).not.toContain('marked');
  const result = (text: string) => /id="back" href="([^"]*)"/.exec(text)?.[1];
  expect(result(source)).toMatch(/^\/\?query=text#result-file_\w+-7$/);
  expect(result(source)).toBe(result(first.source));
});

test('names, texts and parameters are shown as text, never as markup, wherever they appear', async () => {
  const { url, put } = await serviceOf();
  const attack = `"'><script>alert(1)</script>`;
  await put(`${attack}/${attack}.md`, `# ${attack}\n\nText of the kettle. ${attack}\n\n<script>alert(1)</script>`, {
    tags: { [attack]: attack },
  });
  const [given] = [encodeURIComponent(attack)];
  const addresses = [
    `/?query=${given}&folder=${given}&path=${given}&tag=${given}%3D${given}&bot=`,
    `/?query=kettle`,
    `/?query=kettle&bot=${given}`,
    `/file?id=${encodeURIComponent(`${attack}/${attack}.md`)}&query=${given}&at=0`,
    `/file?id=${given}`,
    `/file?id=a&at=${given}`,
    `/page/results?query=kettle&tag=${given}`,
    `/page/neighbour?id=${encodeURIComponent(`${attack}/${attack}.md`)}&at=0`,
    `/page/neighbour?id=${given}&at=${given}&direction=${given}`,
  ];
  for (const address of addresses) {
    const { source } = await visit(url + address);
    expect([address, source.match(/<script(?! type="module" src="\/page\/search.js">)/g)]).toEqual([address, null]);
  }
});

test.each([
  [
    'a tag without a value',
    '/?query=kettle&tag=audience',
    400,
    'A tag is given as name=value or name!=value; this one is "audience".',
  ],
  [
    'a query that is too long',
    `/?query=${'a'.repeat(2049)}`,
    400,
    'query must be a non-empty string of at most 2048 bytes',
  ],
  ['a bot that is not there', '/?query=kettle&bot=none', 404, 'There is no bot "none"'],
  ['a file that is not there', '/file?id=none.md', 404, 'There is no file "none.md"'],
  ['a file without a name', '/file', 400, 'id must be an id or key of 1 to 1000 characters'],
  ['an invalid position', '/file?id=a.md&at=-1', 400, 'at must be an integer from 0; it is "-1".'],
])('%s is answered with one sentence', async (_, address, status, sentence) => {
  const { url } = await serviceOf();
  const answered = await visit(url + address);
  expect([answered.status, answered.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
  expect(answered.text).toContain(sentence);
});

test('the name of several bots is answered with their ids', async () => {
  const { url, host, botId } = await serviceOf();
  const { id } = await host.createWorkspace('other');
  await (await host.workspace(id)).createBot({ name: 'support' });
  const answered = await visit(`${url}/?query=kettle&bot=support`);
  expect(answered.status).toBe(400);
  expect(answered.text).toContain('2 bots are named "support": pass the id of one: ');
  expect(answered.text).toContain(botId);
});

test('without results, files or bots, the page says what to do', async () => {
  const { url, host, put, botId, workspaceId } = await serviceOf();
  const empty = 'Bot “support” has no files yet. Index some with: waymark index <folder> --bot support';
  expect((await visit(url)).text).toContain(empty);
  await put('a.md', 'A kettle.');
  expect((await visit(`${url}/?query=zzzz&tag=a%3Db`)).text).toContain(
    'No results. Use other words, or fewer filters.',
  );
  await (await host.workspace(workspaceId)).deleteBot({ id: botId });
  expect((await visit(url)).text).toContain(
    'This database has no bots yet. Index a folder with: waymark index <folder>',
  );
});

test.each([
  ['&path=none', '"none"'],
  ['&folder=guides&path=*.pdf', '"guides/**/*.pdf"'],
  ['&folder=old', '"old/"'],
])('the page says that no file matches a path: %s', async (filter, path) => {
  const { url } = await filled();
  expect((await visit(`${url}/?query=vault${filter}`)).text).toContain(
    `No indexed file matches ${path}. Use another path: a file, a folder or a glob such as *.mdx.`,
  );
});

test('without results, a path that matches files is not what is wrong', async () => {
  const { url } = await filled();
  expect((await visit(`${url}/?query=vault&path=guides&tag=a%3Db`)).text).toContain('No results. Use other words');
});

test('code of a notebook is code that scrolls with the keyboard, and its text wraps', async () => {
  const service = await serviceOf();
  const cells = [
    { cell_type: 'markdown', source: ['# Tea\n', '\n', 'A kettle boils the water.'] },
    { cell_type: 'code', source: ['kettle = boil("water")'] },
    { cell_type: 'markdown', source: ['The kettle:\n', '\n', '```\n', 'kettle = boil(the, water, twice)\n', '```'] },
  ];
  await service.put('tea.ipynb', JSON.stringify({ cells, nbformat: 4 }));
  const { source } = await visit(`${service.url}/?query=kettle`);
  const shown = [...source.matchAll(/<div class="passage" dir="auto">(.*?)<\/div>/gs)].map(([, html = '']) =>
    html.replace(/<\/?(?:b|mark)>/g, ''),
  );
  expect(shown.sort()).toEqual([
    '<pre tabindex="0"><code>kettle = boil("water")</code></pre>',
    '<pre>A kettle boils the water.</pre>',
    '<pre>The kettle:\n\n```\nkettle = boil(the, water, twice)\n```</pre>',
  ]);
});

test('with several bots, one is selected, and only its files are found', async () => {
  const { url, host, put, workspaceId } = await serviceOf();
  await put('a.md', 'A kettle of one.');
  const { bot } = await (await host.workspace(workspaceId)).createBot({ name: 'second' });
  const first = await visit(`${url}/?query=kettle`);
  expect(first.text).toContain('A kettle of one.');
  expect(first.source).toContain(`>support</option><option value="${bot.id}">second</option>`);
  const second = await visit(`${url}/?query=kettle&bot=${bot.id}`);
  expect(second.source).toContain(`<option value="${bot.id}" selected>second</option>`);
  expect(second.text).not.toContain('A kettle of one.');
});

test('the state of the index is shown below, with its warnings', async () => {
  const { url, put } = await serviceOf();
  await put('a.md', '---\na: [\n---\n\nA kettle.');
  const { text } = await visit(url);
  expect(text).toMatch(/support: 1 file, 1 passage · .* · hash/);
  expect(text).toContain('1 warning');
});
