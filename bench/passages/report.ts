import { textTable } from 'waymark/evaluation';
import { type Reading, readingLines } from '../support/remark/reading.js';
import { formatNumber, targetLine } from '../support/report/target.js';
import type { AnswerLines } from './answers.js';
import { FAULTS, type Fault } from './faults.js';
import { type CorpusFaults, mapFaults } from './measure.js';

export interface PassagesResult {
  readonly corpora: readonly CorpusFaults[];
  readonly answers?: readonly AnswerLines[];
  readonly reading: Reading;
}

/** Faults that no passage should have. */
const FORBIDDEN: readonly (readonly [fault: Fault, name: string])[] = [
  ['few', FAULTS.few],
  ['unclosed', FAULTS.unclosed],
  ['inverted', FAULTS.inverted],
  ['fitting', 'introduction parted from a block whose beginning fits'],
  ['marks', FAULTS.marks],
];

/** Text for the terminal. */
export function passagesReport({ corpora, answers, reading }: PassagesResult): string {
  return [
    faultsTable(corpora),
    ...exampleLines(corpora),
    ...(answers ? [answersTable(answers)] : []),
    ...faultTargets(corpora),
    '',
    ...readingLines(reading),
    '',
  ].join('\n');
}

export function faultTargets(corpora: readonly CorpusFaults[]): string[] {
  const total = totalOf(corpora);
  return FORBIDDEN.map(([fault, name]) => targetLine(`passages: ${name}`, { value: total[fault], most: 0 }));
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

function answersTable(answers: readonly AnswerLines[]): string {
  const questions = answers.reduce((sum, answer) => sum + answer.questions, 0);
  const lines = answers.reduce((sum, answer) => sum + answer.lines * answer.questions, 0) / questions;
  return textTable(['answers', 'questions', 'lines@10'], {
    left: 1,
    rows: [...answers, { corpus: 'total', questions, lines }].map((row) => [
      row.corpus,
      formatNumber(row.questions),
      row.lines.toFixed(1),
    ]),
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
