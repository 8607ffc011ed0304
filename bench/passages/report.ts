import { textTable } from 'waymark/evaluation';
import { formatNumber, targetLine } from '../support/report/target.js';
import { FAULTS, type Fault } from './faults.js';
import { type CorpusFaults, mapFaults } from './measure.js';

export interface PassagesResult {
  readonly corpora: readonly CorpusFaults[];
}

/** Faults that no passage should have. */
const FORBIDDEN: readonly Fault[] = ['few', 'unclosed', 'inverted', 'fitting', 'marks'];

/** Text for the terminal. */
export function passagesReport({ corpora }: PassagesResult): string {
  return [faultsTable(corpora), ...exampleLines(corpora), ...faultTargets(corpora), ''].join('\n');
}

export function faultTargets(corpora: readonly CorpusFaults[]): string[] {
  const total = totalOf(corpora);
  return FORBIDDEN.map((fault) =>
    targetLine(`passages: ${FAULTS[fault].replace(/^ *… /, '')}`, { value: total[fault], most: 0 }),
  );
}

function faultsTable(corpora: readonly CorpusFaults[]): string {
  const total = totalOf(corpora);
  const row = (name: string, of: (corpus: CorpusFaults) => number, sum: number) => [
    name,
    ...corpora.map((corpus) => formatNumber(of(corpus))),
    formatNumber(sum),
  ];
  const sumOf = (of: (corpus: CorpusFaults) => number) => corpora.reduce((sum, corpus) => sum + of(corpus), 0);
  return textTable(['passages', ...corpora.map(({ corpus }) => corpus), 'total'], {
    left: 1,
    rows: [
      row(
        'files',
        ({ files }) => files,
        sumOf(({ files }) => files),
      ),
      row(
        'passages',
        ({ passages }) => passages,
        sumOf(({ passages }) => passages),
      ),
      ...(Object.keys(FAULTS) as Fault[])
        .filter((fault) => fault !== 'unknown' || total.unknown > 0)
        .map((fault) => row(FAULTS[fault], ({ faults }) => faults[fault], total[fault])),
    ],
  });
}

function exampleLines(corpora: readonly CorpusFaults[]): string[] {
  return (Object.keys(FAULTS) as Fault[]).flatMap((fault) => {
    const lines = corpora.flatMap(({ corpus, examples }) =>
      (examples[fault] ?? []).map(({ key, startLine, endLine }) => `  ${corpus}/${key}:${startLine}-${endLine}`),
    );
    return lines.length === 0 ? [] : [FAULTS[fault].replace(/^ *… /, ''), ...lines, ''];
  });
}

function totalOf(corpora: readonly CorpusFaults[]): Record<Fault, number> {
  return mapFaults((fault) => corpora.reduce((sum, { faults }) => sum + faults[fault], 0));
}
