import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEngine } from 'waymark';
import { waymark } from '../support/command.js';
import { writeFiles } from '../support/folder.js';

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

const settings = lines(40, (i) => `setting-${i}: the value of number ${i}`);
const fruit = lines(60, (i) => `| fruit-${i} | colour of ${i} |`);
const steps = lines(10, (i) => `step-${i}`);
const ferrets = 'Ferrets are vaccinated against distemper every spring.';
const animals = lines(60, (i) => `## Animal ${i}\n\nAnimal ${i} is vaccinated in year ${i}, as its keepers say.\n`);
const row = (cell: string) => `|  ${cell.padEnd(8)}|  ${(cell.startsWith('-') ? '-' : ' ').repeat(90)} |`;
const FILES = {
  'docs/settings.md': `# Settings\n\n\`\`\`yaml\n${settings}\n\`\`\`\n`,
  'docs/fruit.md': `# Fruit\n\n| fruit | colour |\n|---|---|\n${fruit}\n`,
  'docs/steps.md': `# Steps\n\n\`\`\`sh\n${steps}\n# the hinge is oiled\n${steps}\n\`\`\`\n`,
  'docs/animals.md': `# Animals\n\n${animals}\n\n## Ferrets\n\n${ferrets}\n`,
  'docs/long.md': `# ${'A long title of many words '.repeat(4)}\n\nHinges are painted.\n`,
  'docs/hooks.md': `# Hooks\n\n${['hook', '----', '`a  b`', 'oiled'].map(row).join('\n')}\n`,
  'docs/keys.md': '# Keys\n\n## Rotation\n\n<a id="rotate-keys"></a>\n\nRotate the keys <!-- all --> every month.\n',
};

/** Contains FILES, indexed. No test changes it. */
let cwd: string;

beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
  writeFiles(cwd, FILES);
  const engine = await openEngine({ database: path.join(cwd, '.waymark', 'waymark.db') });
  await engine.indexFolder(path.join(cwd, 'docs'));
  await engine.close();
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** The rows printed for the first passage found, without the mark of the best sentence. */
async function rowsOf(...words: readonly string[]): Promise<string[]> {
  const { stdout } = await waymark(['search', '--limit', '1', ...words], { cwd });
  return stdout
    .trimEnd()
    .replace(/ {2}[01]\.\d\d/, '')
    .replaceAll('  ┃ ', '    ')
    .split('\n');
}

const ONE_PASSAGE = ['--mode', 'lexical', '--context-depth', '0'];

test('a part of fenced code is printed with fences, and with its line numbers in the file', async () => {
  const [place = '', , open, first] = await rowsOf('setting-20', ...ONE_PASSAGE);
  const line = Number(/^docs\/settings\.md:(\d+)-/.exec(place)?.[1]);
  expect([open, first]).toEqual(['    ```yaml', `    setting-${line - 4}: the value of number ${line - 4}`]);
  expect(line).toBeGreaterThan(4);
});

test('a passage that ends inside of fenced code is printed with a closing fence', async () => {
  const rows = await rowsOf('setting-1', ...ONE_PASSAGE);
  expect([rows[2], rows.at(-1)]).toEqual(['    ```yaml', '    ```']);
});

test('fenced code that is cut to fit keeps its fences', async () => {
  const rows = await rowsOf('the hinge is oiled');
  const cut = rows.slice(2).filter((row) => !row.includes('step-'));
  expect(cut).toEqual(['    ```sh', '    …', '    # the hinge is oiled', '    …', '    ```']);
});

test('a consolidated file is cut around its best match, however late that is', async () => {
  const rows = await rowsOf('how are ferrets vaccinated?', '--consolidate', '--in', 'docs/animals.md');
  expect(rows[0]).toMatch(/^docs\/animals\.md:/);
  expect(rows).toContain(`    ${ferrets}`);
  expect(rows.length).toBeLessThan(50);
});

test('a part of a table is printed with its header', async () => {
  const rows = await rowsOf('fruit-50', ...ONE_PASSAGE);
  expect(rows.slice(2, 4)).toEqual(['    | fruit | colour |', '    |---|---|']);
});

test('what no reader sees is not printed', async () => {
  expect(await rowsOf('how often are keys rotated?')).toEqual([
    'docs/keys.md:5-7',
    'Keys > Rotation',
    '    Rotate the keys every month.',
  ]);
});

test('a long line of headings is wrapped like the text', async () => {
  const { stdout } = await waymark(['search', 'painted hinges', '--limit', '1'], { cwd });
  expect(stdout.split('\n').slice(1)).toEqual([
    'A long title of many words A long title of many words A long title of many words A long title of',
    'many words',
    '  ┃ Hinges are painted.',
    '',
  ]);
});

test('a table that is wider than the rows is printed without the padding of its cells', async () => {
  const [, , ...rows] = await rowsOf('hook oiled');
  expect(rows).toEqual(['    | hook | |', '    | --- | --- |', '    | `a  b` | |', '    | oiled | |']);
});
