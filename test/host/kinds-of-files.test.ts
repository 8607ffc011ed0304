import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openHost } from 'waymark';
import { folderOf } from '../support/folder.js';
import { docxOf, paragraph, pdfOf } from '../support/office-files.js';
import { until } from '../support/until.js';

const LATIN = 'Größere Dateien prüft ein Schlüssel für Änderungen.';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Keys with contents, and the content type that is inferred from each key. */
const FILES: readonly (readonly [key: string, content: string | Uint8Array, contentType: string, found: string])[] = [
  ['a.md', '# Kettles\n\nA kettle boils water.\n', 'text/markdown', 'A kettle boils water.'],
  ['b.txt', 'Walruses rest on ice.\n', 'text/plain', 'Walruses rest on ice.'],
  ['c.html', '<h1>Birds</h1><p>Herons fish at dawn.</p>', 'text/html', '<p>Herons fish at dawn.</p>'],
  ['d.csv', 'animal,food\ntapir,buds\n', 'text/csv', 'animal,food\ntapir,buds'],
  ['e.tsv', 'animal\tfood\nquokka\tbark\n', 'text/tab-separated-values', 'animal\tfood\nquokka\tbark'],
  ['f.jsonl', '{"animal":"lemur","food":"fruit"}', 'application/jsonl', '{"animal":"lemur","food":"fruit"}'],
  [
    'g.ipynb',
    '{"cells":[{"cell_type":"markdown","source":"Otters hold hands."}]}',
    'application/x-ipynb+json',
    'Otters hold hands.',
  ],
  ['j.txt', Buffer.from('Größere Dateien prüft ein Schlüssel für Änderungen.', 'latin1'), 'text/plain', LATIN],
  ['h.pdf', pdfOf([['The tide is low at noon.', 12, 700]]), 'application/pdf', 'The tide is low at noon.'],
  ['i.docx', docxOf(paragraph('The pond has forty frogs.')), DOCX, '<p>The pond has forty frogs.</p>'],
];

test('an upload of every kind is indexed by the content type of its key, each passage an exact slice', async () => {
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const workspace = await host.workspace((await host.createWorkspace('acme')).id);
  const files = await host.bot((await workspace.createBot({ name: 'support' })).bot.id);
  for (const [key, content] of FILES) await files.uploadFile({ key, content, index: true });
  await until(() => host.status().pending === 0);
  for (const [key, content, contentType, found] of FILES) {
    const { file } = await files.getFile({ id: key });
    const { passages } = await files.listFilePassages({ id: key });
    expect(file.size).toBe(Buffer.byteLength(content));
    expect([key, file.status, file.contentType, passages.map((passage) => passage.content)]).toEqual([
      key,
      'indexing_completed',
      contentType,
      [found],
    ]);
    expect(Buffer.from(await (await files.content(key)).bytes())).toEqual(Buffer.from(content));
  }
  const { passages } = await files.searchFiles({ query: 'tide at noon', limit: 1 });
  expect(passages[0]?.meta.pageNumber).toBe(1);
});

test.each([
  ['a.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['a.json', 'application/json'],
  ['a.png', 'image/png'],
  ['a.unheard-of', 'application/octet-stream'],
  ['constructor', 'application/octet-stream'],
  ['doc', 'application/octet-stream'],
])('a file with the key %s is stored as %s', async (key, contentType) => {
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const workspace = await host.workspace((await host.createWorkspace('acme')).id);
  const files = await host.bot((await workspace.createBot({ name: 'support' })).bot.id);
  expect((await files.upsertFile({ key, size: 1 })).file.contentType).toBe(contentType);
});
