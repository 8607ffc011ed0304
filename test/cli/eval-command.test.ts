import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waymark, waymarkEach } from '../support/command.js';
import { folderOf, writeFiles } from '../support/folder.js';
import { jsonLines } from '../support/json-lines.js';
import { createIndexedFolder, DOCS } from './documentation.js';

const gold = (file: string, startLine: number, endLine = startLine) => ({ file, startLine, endLine });

const RESTORE = { query: 'restore a copy', gold: [gold('backup.md', 7)] };
const PHONES = { query: 'Is there a version for phones?', gold: [] };
/** A heading is not part of a passage, so no hit covers its line. */
const HEADING = {
  id: 'lost',
  type: 'odd',
  query: 'backups',
  gold: [gold('backup.md', 1, 2), gold('my notes/users.md', 5)],
};

const ADVICE = 'Specify lines of text: headings and empty lines belong to no passage.';
const OTHER = 'The same is true of 1 other question.';
const SPECIFY = 'Specify a file with one JSON object per line.';

/** Contains DOCS, indexed, and files of questions. No test changes it. */
let cwd: string;

beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
  writeFiles(cwd, {
    ...DOCS,
    'good.jsonl': jsonLines(RESTORE, PHONES, HEADING),
    'one.jsonl': jsonLines(RESTORE),
    'differing.jsonl': jsonLines(RESTORE, { ...RESTORE, query: 'undo what I broke' }, RESTORE),
    'lost.jsonl': jsonLines(...Array.from({ length: 12 }, (_, i) => ({ ...HEADING, id: `lost ${i}` }))),
    'gone.jsonl': jsonLines(RESTORE, { ...RESTORE, gold: [gold('docs/backup.md', 7)] }),
    'unknown.jsonl': jsonLines({ ...RESTORE, gold: [gold('nowhere.md', 7)] }),
    'beyond.jsonl': jsonLines({ ...RESTORE, gold: [gold('backup.md', 7, 99)] }),
    'broken.jsonl': '\n{"query": "a", "gold": [{"file": "backup.md", "startLine": 0, "endLine": 1}]}\n',
    'none.jsonl': jsonLines(PHONES),
    'escapes.jsonl': jsonLines(RESTORE, { ...RESTORE, type: 'a\n\u001b[31mb' }),
  });
  await waymark(['index', 'docs'], { cwd });
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test('eval prints the measures of each mode and kind, their differences, and the unanswered questions', async () => {
  const { code, stdout, stderr } = await waymark(['eval', 'good.jsonl'], { cwd });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `Question lost: no passage has backup.md:1-2, so no search finds it. ${ADVICE}\n`,
  });
  const [modes, differences, advice, missed] = stdout.split('\n\n').map((part) => part.split('\n'));
  const words = modes?.map((row) => row.split(/ {2,}/));
  expect(words?.[0]).toEqual(['mode', 'kind', 'n', 'RR@10', 'Recall@5', 'IoU@5', 'lines@10', 'AUROC']);
  expect(words?.slice(1).map(([mode, kind, n, rr, , iou]) => [mode, kind, n, rr, iou])).toEqual(
    ['hybrid', 'dense', 'lexical'].flatMap((mode) => [
      [mode, 'question', '1', '1.000', '1.000'],
      [mode, 'odd', '1', '0.000', '0.000'],
      [mode, 'all', '2', '0.500 [0.00, 1.00]', '0.500 [0.00, 1.00]'],
    ]),
  );
  expect(words?.[3]?.[7]).toMatch(/^\d\.\d{3} \(2:1\)$/);
  expect(differences?.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([
    ['difference', 'n', 'RR@10'],
    ['hybrid minus dense', '2', '0.000 [0.00, 0.00]'],
    ['hybrid minus lexical', '2', '0.000 [0.00, 0.00]'],
  ]);
  expect(advice).toEqual([
    'Brackets show 95% confidence intervals.',
    'With fewer than 20 questions, the intervals are rough, and no difference is marked.',
  ]);
  expect(missed).toEqual([
    'hybrid has no answer in the top 10 for 1 of 2 questions:',
    '  lost: "backups"',
    '    expected backup.md:1-2 or my notes/users.md:5',
    expect.stringMatching(/^ {4}first {4}backup\.md:\d$/),
    '',
  ]);
});

test('stderr names gold outside all passages, unless the question is not multi and other gold is in one', async () => {
  const heading = gold('backup.md', 1, 2);
  const answer = gold('backup.md', 7);
  const ofGold = (...gold: readonly object[]) => ({ query: 'restore a copy', gold });
  const own = await createIndexedFolder({
    ...DOCS,
    'one.jsonl': jsonLines(ofGold(heading), ofGold(heading, answer), ofGold(answer)),
    'several.jsonl': jsonLines(ofGold(answer), { ...ofGold(answer, heading), type: 'multi' }, ofGold(heading)),
    'none.jsonl': jsonLines(ofGold(heading, answer)),
  });
  const outcomes = await waymarkEach(
    ['one', 'several', 'none'].map((name) => ['eval', `${name}.jsonl`, '--mode', 'lexical']),
    { cwd: own },
  );
  expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
    { code: 0, stderr: `Question 1: no passage has backup.md:1-2, so no search finds it. ${ADVICE}\n` },
    {
      code: 0,
      stderr: `Question 2: no passage has backup.md:1-2, so no search finds it. ${ADVICE} ${OTHER}\n`,
    },
    { code: 0, stderr: '' },
  ]);
});

test('several modes: the number of questions limits the precision of their differences', async () => {
  const { stdout } = await waymark(['eval', 'differing.jsonl'], { cwd });
  expect(stdout).toMatch(
    /^3 questions determine differences in RR@10 to within 0\.\d\d; 0\.05 would take about \d+ such questions\.$/m,
  );
});

test('--mode evaluates one mode, and the number of questions limits the precision of its mean', async () => {
  const { code, stdout } = await waymark(['eval', 'good.jsonl', '--mode', 'lexical'], { cwd });
  expect(code).toBe(0);
  expect(stdout).not.toMatch(/hybrid|dense/);
  expect(stdout).toContain(
    '2 questions determine the mean RR@10 to within 0.50; 0.05 would take about 200 such questions.',
  );
});

test('--json lists every question with its measures and top passages', async () => {
  const { code, stdout } = await waymark(['eval', 'good.jsonl', '--json'], { cwd });
  const { runs, differences } = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(runs.map(({ mode }: { mode: string }) => mode)).toEqual(['hybrid', 'dense', 'lexical']);
  expect(runs[0].questions).toMatchObject([
    { id: '1', type: 'question', measures: { 'RR@10': 1, 'lines@10': 1 }, top: [gold('backup.md', 7), {}, {}] },
    { id: '2', type: 'unanswerable', measures: {} },
    { id: 'lost', type: 'odd', measures: { 'RR@10': 0 } },
  ]);
  expect(runs[0].summary.at(-1)).toMatchObject({ type: 'all', n: 2, auroc: { answerable: 2, unanswerable: 1 } });
  expect(differences[0]).toMatchObject({ name: 'hybrid minus dense', n: 2, measures: { 'RR@10': { mean: 0 } } });
});

test('a single kind of question has one row per mode; at most ten unanswered questions are listed', async () => {
  const [one, lost] = await waymarkEach(
    [
      ['eval', 'one.jsonl'],
      ['eval', 'lost.jsonl', '--mode', 'hybrid'],
    ],
    { cwd },
  );
  expect(one?.stdout.match(/^(hybrid|dense|lexical) +all .*$/gm)).toHaveLength(3);
  expect(one?.stdout).not.toMatch(/^\w+ +question /m);
  expect(one?.stdout).not.toMatch(/[[*]/);
  expect(one?.stdout).toContain(
    '\nA single question says little about others.\n\nhybrid has an answer in the top 10 for every question.\n',
  );
  expect(lost?.stdout.match(/^ {2}lost \d+: /gm)).toHaveLength(10);
  expect(lost?.stdout).toMatch(/\n {2}… and 2 more; --json lists all\n$/);
});

test('control characters and line ends in the type of a question are escaped', async () => {
  const { stdout } = await waymark(['eval', 'escapes.jsonl', '--mode', 'lexical'], { cwd });
  expect(stdout).toMatch(/^lexical {2}a\\x0a\\x1b\[31mb {2}/m);
});

test('invalid questions: exit code 2, and which; no index: exit code 3', async () => {
  const cases: readonly (readonly [string[], number, string])[] = [
    [[''], 2, `A file without a name cannot be read (ENOENT: no such file or directory). ${SPECIFY}`],
    [['nowhere.jsonl'], 2, `nowhere.jsonl cannot be read (ENOENT: no such file or directory). ${SPECIFY}`],
    [['docs'], 2, `docs cannot be read (EISDIR: illegal operation on a directory). ${SPECIFY}`],
    [['broken.jsonl'], 2, 'broken.jsonl line 2: gold[0].startLine must be a positive integer.'],
    [['none.jsonl'], 2, 'No question in none.jsonl has gold lines. Add the lines that answer at least one of them.'],
    [['gone.jsonl'], 2, 'Question 2: gold file "docs/backup.md" is not in the index. Use its key: "backup.md".'],
    [
      ['unknown.jsonl'],
      2,
      'Question 1: gold file "nowhere.md" is not in the index. Use its key, which waymark get <path> --json shows.',
    ],
    [
      ['beyond.jsonl'],
      2,
      'Question 1: gold file "backup.md" has 7 lines; there is no line 99. Correct the lines, or index the file again.',
    ],
    [
      ['good.jsonl', '--database', 'x.db'],
      3,
      `No index at ${path.join(cwd, 'x.db')}. Create one with: waymark index <folder> --database x.db`,
    ],
  ];
  const outcomes = await waymarkEach(
    cases.map(([args]) => ['eval', ...args]),
    { cwd },
  );
  expect(outcomes).toEqual(cases.map(([, code, message]) => ({ code, stdout: '', stderr: `${message}\n` })));
});

test('an index without files: exit code 3', async () => {
  const empty = folderOf({ 'docs/readme.bin': '', 'one.jsonl': jsonLines(RESTORE) });
  await waymark(['index', 'docs'], { cwd: empty });
  const { code, stderr } = await waymark(['eval', 'one.jsonl'], { cwd: empty });
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: 'Bot "default" has no files. Index some with: waymark index <folder>\n',
  });
});
