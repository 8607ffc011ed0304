import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { interrupted, waymark, waymarkEach } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { createIndexedFolder, DOCS } from './documentation.js';

const BUNDLED = path.resolve('models/waymark-docs-small-en');

const CARD = { dimensions: 384, pooling: 'cls', queryPrefix: '', passagePrefix: '', maxTokens: 512 };

/** Creates a model in the subfolder `other`: the bundled one with a different card. */
function otherModel(folder: string, card: Partial<typeof CARD> = { passagePrefix: 'passage: ' }): void {
  const model = path.join(folder, 'other');
  cpSync(BUNDLED, model, { recursive: true, filter: (file) => !file.includes('onnx') });
  symlinkSync(path.join(BUNDLED, 'onnx'), path.join(model, 'onnx'));
  changeCard(folder, card);
}

function changeCard(folder: string, card: Partial<typeof CARD>): void {
  writeFileSync(path.join(folder, 'other', 'model-card.json'), JSON.stringify({ ...CARD, ...card }));
}

const REFUSED =
  'The files of bot "default" were embedded with waymark-docs-small-en, not with this other: omit the model, index into another bot, or re-embed them with waymark index --reembed.\n';

test('a different model is rejected by name, and accepted with --reembed', async () => {
  const cwd = await createIndexedFolder();
  otherModel(cwd);
  const refused = { code: 2, stdout: '', stderr: REFUSED };
  const reembed = ['index', '--reembed', '--model', 'other'];
  const [index, search, switched, status, found, indexed, again] = await waymarkEach(
    [
      ['index', 'docs', '--model', 'other'],
      ['search', 'colleague', '--model', 'other'],
      reembed,
      ['status'],
      ['search', 'colleague', '--limit', '1'],
      ['index', 'docs'],
      reembed,
    ],
    { cwd },
  );
  expect([index, search]).toEqual([refused, refused]);
  expect(switched).toEqual({
    code: 0,
    stdout: 'Re-embedded 2 files (3 passages) with other.\n',
    stderr: 'Reading 2 files\nEmbedding 3 passages\n',
  });
  expect(status?.stdout).toContain('\nmodel     other, 384 dimensions\n');
  expect(found?.stdout).toMatch(/^docs\/my notes\/users\.md:7 /);
  expect(indexed?.stdout).toBe('Files: 2 unchanged.\n');
  expect(again).toEqual({ code: 0, stdout: 'All files are already embedded with other.\n', stderr: '' });
});

test('with a folder, the stored files are re-embedded first and then the folder is indexed', async () => {
  const cwd = await createIndexedFolder();
  otherModel(cwd);
  writeFileSync(path.join(cwd, 'docs', 'new.md'), 'New.\n');
  const { code, stdout } = await waymark(['index', 'docs', '--reembed', '--model', 'other', '--json'], { cwd });
  expect({ code, stdout: JSON.parse(stdout) }).toEqual({
    code: 0,
    stdout: {
      ...{ added: 1, updated: 0, moved: 0, removed: 0, unchanged: 2, failed: [], warnings: [] },
      reembedded: { changed: true, model: 'other', files: 2, passages: 3, embedded: 3 },
    },
  });
  const status = JSON.parse((await waymark(['status', '--json'], { cwd })).stdout);
  expect(status).toMatchObject({
    files: 3,
    passages: 4,
    embedded: 4,
    model: { id: 'other', passagePrefix: 'passage: ' },
  });
});

test('a model whose files have changed is rejected, and accepted with --reembed alone', async () => {
  const cwd = folderOf(DOCS);
  otherModel(cwd);
  await waymark(['index', 'docs', '--model', 'other'], { cwd });
  changeCard(cwd, { passagePrefix: 'text: ' });
  const refused = await waymark(['search', 'colleague'], { cwd });
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(
    /^The files of bot "default" were embedded with other \([0-9a-f]{12}\), not with this other \([0-9a-f]{12}\): /,
  );
  expect(await waymark(['index', '--reembed'], { cwd })).toMatchObject({
    code: 0,
    stdout: 'Re-embedded 2 files (3 passages) with other.\n',
  });
  expect((await waymark(['search', 'colleague'], { cwd })).code).toBe(0);
});

test('Ctrl-C stops with a message, status shows the unfinished run, and --reembed alone resumes it', async () => {
  const text = (i: number) => `## Section ${i}\n\nSome words about the matter of number ${i}.`;
  const cwd = await createIndexedFolder({ 'docs/a.md': Array.from({ length: 40 }, (_, i) => text(i)).join('\n\n') });
  otherModel(cwd);
  expect(await interrupted(['index', '--reembed', '--model', 'other'], { cwd, at: 'Embedding' })).toEqual({
    code: 4,
    stdout: '',
    stderr: 'Reading 1 file\nEmbedding 40 passages\nStopped. The next run continues from here.\n',
  });
  const [status, search, resumed, after] = await waymarkEach(
    [['status'], ['search', 'number 7', '--limit', '1'], ['index', '--reembed'], ['status']],
    { cwd },
  );
  expect(status?.stdout).toContain('\npassages  40\nmodel     waymark-docs-small-en, 384 dimensions\n');
  expect(status?.stdout).toMatch(
    /\nreembed {3}unfinished, with other: 1 of 1 files parsed, \d+ of their 40 passages embedded\. If interrupted, resume with: waymark index --reembed\n/,
  );
  expect(search?.code).toBe(0);
  expect(resumed).toMatchObject({ code: 0, stdout: 'Re-embedded 1 file (40 passages) with other.\n' });
  expect(after?.stdout).not.toContain('reembed');
});
