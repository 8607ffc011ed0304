import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openEngine, type SearchFilesResponse } from 'waymark';
import { keysOfPaths } from '#src/cli/actions/search/keys-of-paths.js';
import { startWaymark, waymark, waymarkEach } from '../support/command.js';
import { folderOf, writeFiles } from '../support/folder.js';
import { DOCS, databasePath } from './documentation.js';

const MORE = {
  'more/heading.md':
    '# Start\n\nWords to begin.\n\n## All about certificates\n\n## Renewal\n\nOnce a year.\n\nBy mail.\n\n## Other\n\nOther words here.\n',
  'more/long.md': `${Array.from({ length: 13 }, (_, i) => `- Point ${i} is about something else.`).join('\n')}
- The certificate of the \u001b[31mserver\u0007 is renewed once a year, ${'and so on '.repeat(12)}to the end.\n`,
  'more/option.md': 'With --dry-run nothing is written.\n',
};

/** Finds passages of both documents, without starting an embedding process. */
const SEARCH = ['search', 'a', '--mode', 'lexical'];

/** Contains DOCS, and MORE in a bot of its own. No test changes it. */
let cwd: string;

beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
  writeFiles(cwd, { ...DOCS, ...MORE });
  const engine = await openEngine({ database: databasePath(cwd) });
  await engine.createBot({ name: 'more' });
  await engine.indexFolder(path.join(cwd, 'docs'));
  await engine.close();
  const more = await openEngine({ database: databasePath(cwd), bot: 'more' });
  await more.indexFolder(path.join(cwd, 'more'));
  await more.indexFile('given.md', 'The moon is made of cheese.');
  await more.close();
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test('search prints place, score, breadcrumb and passage with its best sentence marked, and nothing else', async () => {
  const search = ['search', 'restore', 'a', 'copy', '--limit', '2', '--min-score', '0'];
  const { code, stdout, stderr } = await waymark(search, {
    cwd,
    // Even if colours are requested, a pipe gets no ANSI codes.
    env: { CI: '1', FORCE_COLOR: '1' },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.replaceAll(/[01]\.\d\d\n/g, 'SCORE\n')).toBe(
    [
      'docs/backup.md:7  SCORE\nBackups > Restore\n  ┃ Stop the service. Put the copy in place.\n',
      'docs/backup.md:3  SCORE\nBackups\n  ┃ A copy is made every night.\n',
    ].join('\n'),
  );
});

test('--explain shows what each retriever found and how the score is computed', async () => {
  const [hybrid, lexical] = await waymarkEach(
    [
      ['search', 'restore', 'a', 'copy', '--limit', '1', '--explain'],
      ['search', 'restore', '--mode', 'lexical', '--explain'],
    ],
    { cwd },
  );
  const numbers = (text: string | undefined) => (text ?? '').replaceAll(/\d+(\.\d+)?/g, 'N');
  expect(numbers(hybrid?.stdout)).toContain(
    [
      'Backups > Restore',
      'dense    cosine N (rank N)',
      'lexical  BMN N, N% of the maximum (rank N): restore',
      'sum      N = dense N + lexical N + length N + prose N',
      'score    from the sum, lead +N, contrast +N',
      '  ┃ Stop the service.',
    ].join('\n'),
  );
  expect(numbers(lexical?.stdout)).toContain('sum      N = lexical N\n');
  expect(lexical?.stdout).not.toContain('cosine');
});

test('--min-score omits results that score lower', async () => {
  const [none, some] = await waymarkEach(
    [
      ['search', 'restore', '--min-score', '1'],
      ['search', 'restore', '--min-score', '0'],
    ],
    { cwd },
  );
  expect(none).toMatchObject({ code: 1, stdout: '', stderr: 'No results.\n' });
  expect(some?.code).toBe(0);
});

test('--format json prints the searchFiles response with positions, and the path of each file', async () => {
  const engine = await openEngine({ database: databasePath(cwd) });
  const query = 'restore';
  const [plain, some, merged] = await waymarkEach(
    [
      ['search', '--format', 'json', query],
      [
        'search',
        '--format',
        'json',
        query,
        '--limit',
        '1',
        '--context-depth',
        '0',
        '--include-breadcrumb',
        '--with-context',
      ],
      ['search', '--format', 'json', query, '--consolidate', '--limit', '1'],
    ],
    { cwd },
  );
  const json = (text: string | undefined) => JSON.parse(text ?? '');
  const placed = ({ passages }: SearchFilesResponse) => ({
    passages: passages.map((found) => ({ ...found, path: path.join(cwd, 'docs', found.file.key), stale: false })),
  });
  expect(json(plain?.stdout)).toEqual(placed(await engine.searchFiles({ query, positions: true })));
  expect(json(some?.stdout)).toEqual(
    placed(
      await engine.searchFiles({
        ...{ query, limit: 1, contextDepth: 0, includeBreadcrumb: true, withContext: true },
        positions: true,
      }),
    ),
  );
  expect(json(merged?.stdout)).toEqual(
    placed(await engine.searchFiles({ query, consolidate: true, limit: 1, positions: true })),
  );
  expect(json(some?.stdout).passages[0].meta).toEqual({
    type: 'chunk',
    subtype: 'paragraph',
    position: 1,
    start: 52,
    end: 92,
    startLine: 7,
    endLine: 7,
    breadcrumb: ['Backups', 'Restore'],
    display: 'Stop the service. Put the copy in place.',
  });
  await engine.close();
});

test('--tag filters: a repeated name matches either value, name!=value excludes; no results: exit code 1', async () => {
  const [admin, others, none, json] = await waymarkEach(
    [
      [...SEARCH, '--tag', 'audience=user', '--tag', 'audience=admin'],
      [...SEARCH, '--tag', 'audience!=admin'],
      [...SEARCH, '--tag', 'audience=user'],
      [...SEARCH, '--tag', 'audience=user', '--format', 'json'],
    ],
    { cwd },
  );
  expect(admin?.stdout).toMatch(/^docs\/my notes\/users\.md:7 /);
  expect(others?.stdout).toContain('docs/backup.md:3');
  expect(others?.stdout).not.toContain('users.md');
  expect(none).toEqual({ code: 1, stdout: '', stderr: 'No results.\n' });
  expect(json).toEqual({ code: 1, stdout: '{\n  "passages": []\n}\n', stderr: 'No results.\n' });
});

test('--in takes a path from the working folder into the indexed one, and anything else as a key', async () => {
  const docs = path.join(cwd, 'docs');
  const users = 'docs/my notes/users.md';
  const cases: readonly (readonly [place: string, files: readonly string[]])[] = [
    ['docs/backup.md', ['docs/backup.md']],
    ['docs/my notes/', [users]],
    [path.join(docs, 'my notes'), [users]],
    ['my notes', [users]],
    ['./my notes/', [users]],
    ['users.*', [users]],
    ['docs/*.md', ['docs/backup.md']],
    ['docs/m*/*.md', [users]],
    [`${docs}/**/u*`, [users]],
    ['**/*.md', ['docs/backup.md', users]],
    ['docs', ['docs/backup.md', users]],
    ['.', ['docs/backup.md', users]],
  ];
  const outcomes = await waymarkEach(
    cases.map(([place]) => [...SEARCH, '--limit', '50', '--in', place]),
    { cwd },
  );
  const shown = outcomes.map(({ stdout }) => [...new Set(stdout.match(/^docs\/.*?(?=:\d)/gm))].sort());
  expect(shown).toEqual(cases.map(([, files]) => files));
  const [inside] = await waymarkEach([[...SEARCH, '--format', 'json', '--in', '.']], {
    cwd: path.join(docs, 'my notes'),
  });
  const keys = JSON.parse(inside?.stdout ?? '').passages.map(({ file }: { file: { key: string } }) => file.key);
  expect(keys).toEqual(['my notes/users.md']);
});

test('--in is repeatable: one must match; brackets in the name of a file that exists are its name', async () => {
  const folder = folderOf({ 'docs/[id].md': 'apples', 'docs/i.md': 'apples', 'docs/[a]/b.md': 'apples' });
  const engine = await openEngine({ database: databasePath(folder), model: createHashEmbedder() });
  await engine.indexFolder(path.join(folder, 'docs'));
  onTestFinished(() => engine.close());
  const sources = {
    folders: await engine.listFolders(),
    hasTexts: false,
    pathOfFile: (key: string) => engine.pathOfFile(key),
  };
  const [both, gone] = await waymarkEach(
    [
      [...SEARCH, '--limit', '50', '--in', 'my notes', '--in', 'docs/backup.md'],
      [...SEARCH, '--in', 'my notes', '--in', 'docs/nothing'],
    ],
    { cwd },
  );
  expect([both?.code, gone?.code]).toEqual([0, 0]);
  expect(both?.stdout).toContain('docs/backup.md:3');
  expect(both?.stdout).toContain('docs/my notes/users.md:7');
  const places = ['docs/[id].md', 'docs/[a]'].map((place) => path.join(folder, place));
  expect(await keysOfPaths(places, sources)).toEqual(['./\\[id\\].md', './\\[a\\]/']);
});

test('--in that no indexed file matches: one sentence with the next step, exit code 1', async () => {
  const below = path.join(cwd, 'docs/backup.md/guides');
  const [one, two, found, json, belowFile] = await waymarkEach(
    [
      ['search', 'copy', '--in', 'docs/guides'],
      ['search', 'copy', '--in', 'guides/*.md', '--in', '../other'],
      ['search', 'zebra', '--mode', 'lexical', '--in', 'docs/backup.md'],
      ['search', 'copy', '--format', 'json', '--in', 'guides'],
      ['search', 'copy', '--in', below],
    ],
    { cwd },
  );
  const advice = 'Pass a file, a folder or a glob such as "**/*.md" in docs.\n';
  expect(one).toEqual({
    code: 1,
    stdout: '',
    stderr: `No indexed file matches "docs/guides". ${advice}`,
  });
  expect(two?.stderr).toBe(`No indexed file matches "guides/*.md" or "../other". ${advice}`);
  expect(found).toEqual({ code: 1, stdout: '', stderr: 'No results.\n' });
  expect(belowFile).toEqual({ code: 1, stdout: '', stderr: `No indexed file matches "${below}". ${advice}` });
  expect(json).toMatchObject({ code: 1, stdout: '{\n  "passages": []\n}\n' });
  const inside = await waymark(['search', 'copy', '--in', 'guides'], { cwd: path.join(cwd, 'docs') });
  expect(inside.stderr).toBe(
    'No indexed file matches "guides". Pass a file, a folder or a glob such as "**/*.md" in this folder.\n',
  );
});

test('--in of a whole folder is refused if keys do not distinguish its files from others', async () => {
  const refused = await waymarkEach(
    ['more', '.', 'more/*.md', ''].map((place) => ['search', 'words', '--bot', 'more', '--in', place]),
    { cwd },
  );
  const message = (place: string) =>
    `"${place}" takes in a whole folder that was indexed without a name, and the bot also has files from ` +
    'elsewhere, which keys do not tell apart. Name files or folders in it, or give it a name with: waymark add more ' +
    '--name <name>\n';
  expect(refused).toEqual([
    ...['more', '.', 'more/*.md'].map((place) => ({ code: 2, stdout: '', stderr: message(place) })),
    {
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^--in must be a non-empty string that is a file, a folder or a glob, .*\n$/),
    },
  ]);
});

test('a query that looks like an option follows --', async () => {
  const [query, option] = await waymarkEach(
    [
      ['search', '--bot', 'more', '--mode', 'lexical', '--', '--dry-run'],
      ['search', '--dry-run'],
    ],
    { cwd },
  );
  expect(query).toMatchObject({ code: 0, stdout: expect.stringContaining('  ┃ With --dry-run nothing is written.\n') });
  expect(option).toEqual({
    code: 2,
    stdout: '',
    stderr: "Unknown option '--dry-run'. An argument that begins with a dash follows --. See: waymark search --help\n",
  });
});

test('a heading with no text of its own is shown with the passage that follows it', async () => {
  const { stdout } = await waymark(['search', 'certificates', '--limit', '10', '--bot', 'more'], { cwd });
  expect(stdout.replaceAll(/0\.\d\d/g, 'SCORE').replaceAll('  ┃ ', '    ')).toContain(
    'more/heading.md:5-11  SCORE\nStart\n    ## All about certificates\n\n    ## Renewal\n\n    Once a year.\n\n    By mail.\n',
  );
});

test('long lines are wrapped, long passages cut around the best sentence, control characters replaced', async () => {
  const query = 'is the certificate of the server renewed?';
  const { stdout } = await waymark(['search', query, '--limit', '1', '--bot', 'more'], { cwd });
  const rows = stdout.split('\n');
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(100);
  expect(rows.slice(1, 3)).toEqual(['long', '    …']);
  expect(rows.filter((row) => row.startsWith('  ┃ '))).toEqual([
    '  ┃ - The certificate of the \ufffd[31mserver\ufffd is renewed once a year, and so on and so on and so on and',
    '  ┃ so on and so on and so on and so on and so on and so on and so on and so on and so on to the',
    '  ┃ end.',
  ]);
});

test('a reader that closes the pipe is not a failure', async () => {
  const child = startWaymark([...SEARCH, '--format', 'json'], { cwd });
  child.stdout?.destroy();
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  const [code] = await once(child, 'close');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('a file is shown by its path from the working folder, or by its key if it does not exist', async () => {
  const database = ['--database', databasePath(cwd), '--limit', '1'];
  const above = path.dirname(cwd);
  const [file, given] = await waymarkEach(
    [
      ['search', 'copy', '--mode', 'lexical', ...database],
      ['search', 'the moon', '--mode', 'lexical', ...database, '--bot', 'more'],
    ],
    { cwd: above },
  );
  expect(file?.stdout).toMatch(new RegExp(`^${path.basename(cwd)}/docs/backup\\.md:`));
  expect(given?.stdout).toMatch(/^given\.md:1 /);
});
