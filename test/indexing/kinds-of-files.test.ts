import { expect, test } from 'vitest';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

const NOTEBOOK = {
  nbformat: 4,
  cells: [
    { cell_type: 'markdown', source: ['# Otters\n', '\n', 'Otters hold hands while they sleep.'] },
    { cell_type: 'code', source: ['count_otters(river)'], outputs: [{ text: 'badger badger badger' }] },
  ],
};

const FILES: Readonly<Record<string, string>> = {
  'a.md': '# Kettles\n\nA kettle boils water quickly.\n',
  'b.txt': 'Walruses rest on floating ice.\n',
  'c.log': '2026-01-01 flamingo pipeline stalled\n',
  'd.html': '<title>Herons</title><nav>badger</nav><h1>Herons</h1><p>Herons fish at &quot;dawn&quot;.</p>',
  'e.csv': 'animal,food\ntapir,leaves and buds\n',
  'f.tsv': 'animal\tfood\nquokka\tgrass and bark\n',
  'g.jsonl': '{"animal":"lemur","food":"fruit\\u0020and flowers"}\n',
  'h.ipynb': JSON.stringify(NOTEBOOK, null, 1),
  'i.bin': 'badger',
  'j.json': '{"badger":1}',
};

test('a question that names a column finds the part of a wide row that has it', async () => {
  const engine = await engineOf();
  const columns = ['animal', ...Array.from({ length: 60 }, (_, i) => `trait${i} observed`), 'favourite food'];
  const values = ['tapir', ...Array.from({ length: 60 }, (_, i) => `grade ${i} measured twice`), 'guava'];
  await engine.indexFolder(folderOf({ 'wide.csv': `${columns.join(',')}\n${values.join(',')}\n` }));
  const hits = await engine.search('tapir favourite food', { mode: 'lexical' });
  const [part] = hits.filter(({ passage }) => passage.startLine === 2);
  expect(part?.passage.content).toMatch(/,guava$/);
  expect(part?.passage.opening).toMatch(/,favourite food\n$/);
});

test('files of every kind in a folder are found, each passage an exact slice with its lines and headings', async () => {
  const engine = await engineOf();
  const folder = folderOf(FILES);
  expect(await engine.indexFolder(folder)).toMatchObject({ added: 8, failed: [], warnings: [] });
  const found = async (query: string) => {
    const [hit] = await engine.search(query, { limit: 1 });
    const { content, breadcrumb, startLine } = hit?.passage ?? {};
    const key = hit?.file.key ?? '';
    expect(FILES[key]).toContain(content);
    return [key, content, breadcrumb, startLine];
  };
  expect(await found('kettle boils')).toEqual(['a.md', 'A kettle boils water quickly.', ['Kettles'], 3]);
  expect(await found('walruses floating')).toEqual(['b.txt', 'Walruses rest on floating ice.', [], 1]);
  expect(await found('flamingo pipeline')).toEqual(['c.log', '2026-01-01 flamingo pipeline stalled', [], 1]);
  expect(await found('herons "dawn"')).toEqual(['d.html', '<p>Herons fish at &quot;dawn&quot;.</p>', ['Herons'], 1]);
  expect(await found('tapir buds')).toEqual(['e.csv', 'animal,food\ntapir,leaves and buds', [], 1]);
  expect(await found('quokka bark')).toEqual(['f.tsv', 'animal\tfood\nquokka\tgrass and bark', [], 1]);
  expect(await found('lemur fruit and')).toEqual([
    'g.jsonl',
    '{"animal":"lemur","food":"fruit\\u0020and flowers"}',
    [],
    1,
  ]);
  expect(await found('otters sleep hands')).toEqual(['h.ipynb', 'Otters hold hands while they sleep.', ['Otters'], 9]);
  // Neither navigation, outputs of cells, nor files of other kinds.
  expect(await engine.search('badger', { mode: 'lexical' })).toEqual([]);
});

test('a content type says how a text is read, whatever the extension', async () => {
  const engine = await engineOf();
  const text = '<h1>Herons</h1><p>Herons fish at dawn.</p>';
  await engine.indexFile('a.md', text, { contentType: 'text/html' });
  const [hit] = await engine.search('herons dawn');
  expect([hit?.passage.content, hit?.passage.breadcrumb]).toEqual(['<p>Herons fish at dawn.</p>', ['Herons']]);
});
