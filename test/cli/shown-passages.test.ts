import path from 'node:path';
import { expect, test } from 'vitest';
import { openEngine } from 'waymark';
import { waymark } from '../support/command.js';
import { folderOf } from '../support/folder.js';

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

/** The rows printed for the first passage found in a file, without the mark of the best sentence. */
async function rowsOf(text: string, words: readonly string[]): Promise<string[]> {
  const cwd = folderOf({ 'docs/a.md': text });
  const engine = await openEngine({ database: path.join(cwd, '.waymark', 'waymark.db') });
  await engine.indexFolder(path.join(cwd, 'docs'));
  await engine.close();
  const { stdout } = await waymark(['search', '--limit', '1', ...words], { cwd });
  return stdout
    .trimEnd()
    .replace(/ {2}0\.\d\d/, '')
    .replaceAll('  ┃ ', '    ')
    .split('\n');
}

const settings = `# Settings\n\n\`\`\`yaml\n${lines(40, (i) => `setting-${i}: the value of number ${i}`)}\n\`\`\`\n`;

test('a part of fenced code is printed with its fences, and with the lines of the file', async () => {
  const [place = '', , open, first] = await rowsOf(settings, [
    'setting-20',
    '--mode',
    'lexical',
    '--context-depth',
    '0',
  ]);
  const line = Number(/^docs\/a\.md:(\d+)-/.exec(place)?.[1]);
  expect([open, first]).toEqual(['    ```yaml', `    setting-${line - 4}: the value of number ${line - 4}`]);
  expect(line).toBeGreaterThan(4);
});

test('a passage that ends inside of fenced code is printed with a closing fence', async () => {
  const rows = await rowsOf(settings, ['setting-1', '--mode', 'lexical', '--context-depth', '0']);
  expect([rows[2], rows.at(-1)]).toEqual(['    ```yaml', '    ```']);
});

test('a part of a table is printed with its header', async () => {
  const table = `| fruit | colour |\n|---|---|\n${lines(60, (i) => `| fruit-${i} | colour of ${i} |`)}`;
  const rows = await rowsOf(`# Fruit\n\n${table}\n`, ['fruit-50', '--mode', 'lexical', '--context-depth', '0']);
  expect(rows.slice(2, 4)).toEqual(['    | fruit | colour |', '    |---|---|']);
});

test('what no reader sees is not printed', async () => {
  const text = '# Keys\n\n## Rotation\n\n<a id="rotate-keys"></a>\n\nRotate the keys <!-- all --> every month.\n';
  expect(await rowsOf(text, ['how often are keys rotated?'])).toEqual([
    'docs/a.md:5-7',
    'Keys > Rotation',
    '    Rotate the keys every month.',
  ]);
});
