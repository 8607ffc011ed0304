import { textTable } from 'waymark/evaluation';
import { exponentOf } from '../growth/exponent.js';
import { shown, verdict } from '../growth/verdict.js';
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
  /** What the replaced may have of the fresh. */
  readonly target: { readonly most: number } | { readonly least: number };
}[] = [
  { name: 'search, ms', of: ({ search }) => search, target: { most: 1.2 } },
  { name: 'database, MB', of: ({ bytes }) => bytes / 1e6, target: { most: 1.2 } },
  { name: 'recall@10', of: ({ recall }) => recall, target: { least: 0.99 } },
];

export function updateReport(result: UpdateResult): string {
  const { unchanged, tenth, edit, churn, newFolder } = result;
  const growth = exponentOf([tenth, unchanged].map(({ files, milliseconds }) => ({ x: files, y: milliseconds })));
  const rows = [
    [`index ${shown(unchanged.files)} unchanged files again, ms`, shown(unchanged.milliseconds)],
    [`the same of ${shown(tenth.files)}, ms`, shown(tenth.milliseconds)],
    ...(growth === undefined ? [] : [['it grows with the files as', `n^${growth.toFixed(2)}`]]),
    ['files of these that were read again', shown(unchanged.touched)],
    [`edit a paragraph of ${shown(edit.passages)} passages until it is found, ms`, shown(edit.milliseconds)],
    [`slowest of ${shown(edit.edits)} edits, ms`, shown(edit.slowest)],
    ['passages that an edit embeds, at most', shown(edit.embedded)],
  ];
  return [
    textTable(['update', ''], { left: 1, rows }),
    ...churn.map(churnTable),
    newFolderTable(newFolder),
    ...updateVerdicts(result),
    '',
  ].join('\n');
}

function churnTable({ index, passages, rounds, replaced, fresh, bytesByRound }: ChurnResult): string {
  const table = textTable(
    [`${index}, ${shown(passages)} passages`, `replaced ${shown(rounds)} times`, 'fresh', 'ratio'],
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

function newFolderTable({ files, bytes, milliseconds, ...phases }: NewFolderResult): string {
  const rows = (['idle', 'reading', 'embedding'] as const).map((phase) => {
    const { calls, p50, p95, p99, max } = phases[phase];
    return [phase, shown(calls), ...[p50, p95, p99, max].map((time) => time.toFixed(1))];
  });
  const table = textTable(['searches, ms', 'calls', 'p50', 'p95', 'p99', 'max'], { left: 1, rows });
  const megabytes = (bytes / 1e6).toFixed(1);
  return `${table}${shown(files)} new files of ${megabytes} MB are found by their words after ${shown(milliseconds)} ms.\n`;
}

export function updateVerdicts({ unchanged, edit, churn, newFolder }: Omit<UpdateResult, 'tenth'>): string[] {
  return [
    verdict(`${shown(unchanged.files)} unchanged files`, { value: unchanged.milliseconds, most: 2000, unit: 'ms' }),
    verdict('unchanged files that were read again', { value: unchanged.touched, most: 0 }),
    verdict('passages embedded after one paragraph was edited', { value: edit.embedded, most: 3 }),
    verdict('an edited paragraph until it is found', { value: edit.milliseconds, most: 500, unit: 'ms' }),
    ...churn.flatMap(({ index, rounds, replaced, fresh }) =>
      FIGURES.map(({ name, of, target }) =>
        verdict(`${name}, all files replaced ${shown(rounds)} times to fresh, ${index}`, {
          value: of(replaced) / of(fresh),
          ...target,
        }),
      ),
    ),
    verdict(`${shown(newFolder.files)} new files until found by their words`, {
      value: newFolder.milliseconds,
      most: 6000,
      unit: 'ms',
    }),
    ...(['reading', 'embedding'] as const).map((phase) =>
      verdict(`p99 of searches while ${phase} to idle`, { value: newFolder[phase].p99 / newFolder.idle.p99, most: 3 }),
    ),
  ];
}
