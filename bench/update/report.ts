import { textTable } from 'waymark/evaluation';
import { MOST_REMARK, timesRemark } from '../support/remark/bare-remark.js';
import { formatNumber, targetLine } from '../support/report/target.js';
import { exponentOf, formatExponent } from '../support/statistics/exponent.js';
import type { ChurnResult, IndexFigures } from './churn.js';
import type { EditResult } from './edit.js';
import type { NewFolderResult } from './new-folder.js';
import type { UnchangedResult } from './unchanged.js';

export interface UpdateResult {
  readonly unchanged: UnchangedResult;
  /** The same with a tenth of the files. */
  readonly tenth: UnchangedResult;
  readonly edit: EditResult;
  readonly churn: readonly ChurnResult[];
  readonly newFolder: NewFolderResult;
}

const FIGURES: readonly {
  readonly name: string;
  readonly of: (figures: IndexFigures) => number;
  /** Bound of the ratio of the replaced index to the fresh one. */
  readonly target: { readonly most: number } | { readonly least: number };
}[] = [
  { name: 'search, ms', of: ({ search }) => search, target: { most: 1.2 } },
  { name: 'database, MB', of: ({ bytes }) => bytes / 1e6, target: { most: 1.2 } },
  { name: 'recall@10', of: ({ recall }) => recall, target: { least: 0.99 } },
];

/** Text for the terminal. */
export function updateReport(result: UpdateResult): string {
  const { unchanged, tenth, edit, churn, newFolder } = result;
  const growth = exponentOf([tenth, unchanged].map(({ files, milliseconds }) => ({ x: files, y: milliseconds })));
  const rows = [
    [`index ${formatNumber(unchanged.files)} unchanged files, ms`, formatNumber(unchanged.milliseconds)],
    [`index ${formatNumber(tenth.files)} unchanged files, ms`, formatNumber(tenth.milliseconds)],
    ...(growth === undefined ? [] : [['grows with the files as', formatExponent(growth)]]),
    [`notice that none of ${formatNumber(unchanged.files)} files changed, ms`, formatNumber(unchanged.noticing)],
    ['the same, times the calls of stat alone', (unchanged.noticing / unchanged.stats).toFixed(2)],
    ['unchanged files that were read', formatNumber(unchanged.touched)],
    [`edit one of ${formatNumber(edit.passages)} passages and find it, ms`, formatNumber(edit.milliseconds)],
    [`slowest of ${formatNumber(edit.edits)} edits, ms`, formatNumber(edit.slowest)],
    ['passages that an edit embeds, at most', formatNumber(edit.embedded)],
  ];
  return [
    textTable(['update', ''], { left: 1, rows }),
    ...churn.map(churnTable),
    newFolderTable(newFolder),
    ...updateTargets(result),
    '',
  ].join('\n');
}

function churnTable({ index, passages, rounds, replaced, fresh, bytesByRound }: ChurnResult): string {
  const table = textTable(
    [`${index}, ${formatNumber(passages)} passages`, `replaced ${formatNumber(rounds)} times`, 'fresh', 'ratio'],
    {
      left: 1,
      rows: FIGURES.map(({ name, of }) => [
        name,
        of(replaced).toFixed(3),
        of(fresh).toFixed(3),
        (of(replaced) / of(fresh)).toFixed(3),
      ]),
    },
  );
  return `${table}MB by round: ${bytesByRound.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ')}\n`;
}

function newFolderTable({ files, bytes, milliseconds, remark, ...phases }: NewFolderResult): string {
  const rows = (['idle', 'reading', 'embedding'] as const).map((phase) => {
    const { calls, p50, p95, p99, max } = phases[phase];
    return [phase, formatNumber(calls), ...[p50, p95, p99, max].map((time) => time.toFixed(1))];
  });
  const table = textTable(['searches, ms', 'calls', 'p50', 'p95', 'p99', 'max'], { left: 1, rows });
  const what = `${formatNumber(files)} new files of ${(bytes / 1e6).toFixed(1)} MB`;
  const bare = `Two threads of bare remark parse them in ${formatNumber(remark.two.seconds * 1000)} ms.`;
  return `${table}${what} are found by lexical search after ${formatNumber(milliseconds)} ms.\n${bare}\n`;
}

export function updateTargets({ unchanged, edit, churn, newFolder }: Omit<UpdateResult, 'tenth'>): string[] {
  return [
    targetLine(`${formatNumber(unchanged.files)} unchanged files`, {
      value: unchanged.milliseconds,
      most: 2000,
      unit: 'ms',
    }),
    targetLine(`${formatNumber(unchanged.files)} unchanged files are compared`, {
      value: unchanged.noticing,
      most: 50,
      unit: 'ms',
    }),
    targetLine('unchanged files that were read', { value: unchanged.touched, most: 0 }),
    targetLine('passages that an edited paragraph embeds', { value: edit.embedded, most: 3 }),
    targetLine('an edited paragraph is found after', { value: edit.milliseconds, most: 500, unit: 'ms' }),
    ...churn.flatMap(({ index, rounds, replaced, fresh }) =>
      FIGURES.map(({ name, of, target }) =>
        targetLine(`${name}, files replaced ${formatNumber(rounds)} times to fresh, ${index}`, {
          value: of(replaced) / of(fresh),
          ...target,
        }),
      ),
    ),
    targetLine(`${formatNumber(newFolder.files)} new files are found by lexical search after`, {
      value: newFolder.milliseconds,
      most: 6000,
      unit: 'ms',
    }),
    targetLine('reading new files to two threads of bare remark', {
      value: timesRemark(newFolder.milliseconds / 1000, newFolder.remark),
      most: MOST_REMARK,
    }),
    ...(['reading', 'embedding'] as const).map((phase) =>
      targetLine(`p99 of searches while ${phase} to idle`, {
        value: newFolder[phase].p99 / newFolder.idle.p99,
        most: 3,
      }),
    ),
  ];
}
