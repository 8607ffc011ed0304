import {
  type Differences,
  differencesTable,
  FEW_QUERIES,
  type Interval,
  type Lines,
  type Question,
  type QuestionResult,
  type SummaryRow,
  summaryTable,
} from '../../evaluation/index.js';
import type { Mode } from '../../index.js';
import { showLines } from './lines.js';
import { printable } from './printable.js';

/** How well one mode answered the questions. */
export interface Run {
  readonly mode: Mode;
  readonly summary: readonly SummaryRow[];
  readonly questions: readonly QuestionResult[];
}

export interface Evaluation {
  readonly runs: readonly Run[];
  /** The first mode minus each of the others. */
  readonly differences: readonly (Differences & { readonly name: string })[];
}

const MEASURES = ['RR@10', 'Recall@5', 'IoU@5', 'lines@10'];
const MAIN = 'RR@10';

/** The precision of a mean or a difference that an evaluation should reach. */
const PRECISION = 0.05;

/** Maximum number of unanswered questions to list. */
const LISTED = 10;

/** Tables of means and differences, the precision that the questions allow, and the unanswered questions. */
export function showEvaluation(
  { runs, differences }: Evaluation,
  { questions }: { readonly questions: readonly Question[] },
): string {
  const rows = runs.flatMap(({ mode, summary }) =>
    withoutRedundantRow(summary).map((row) => ({ name: mode, ...row, type: printable(row.type) })),
  );
  const [first] = runs;
  return [
    summaryTable(rows, { of: 'mode', measures: MEASURES }),
    ...(differences.length > 0 ? [differencesTable(differences, { measures: MEASURES })] : []),
    `${describePrecision({ runs, differences })}\n`,
    ...(first ? [describeUnanswered(first, questions)] : []),
  ].join('\n');
}

/** With only one kind of question, its row would repeat that of all questions. */
function withoutRedundantRow(summary: readonly SummaryRow[]): readonly SummaryRow[] {
  return summary.length === 2 ? summary.slice(1) : summary;
}

/** How precise so many questions are. An interval shrinks with the square root of their number. */
function describePrecision({ runs, differences }: Evaluation): string {
  const n = runs[0]?.summary.at(-1)?.n ?? 0;
  const compared = differences.length > 0;
  const intervals = compared
    ? differences.map(({ measures }) => measures[MAIN])
    : [runs[0]?.summary.at(-1)?.measures[MAIN]];
  const margin = Math.max(...intervals.map(marginOf));
  const needed = Math.ceil((n * (margin / PRECISION) ** 2) / 10) * 10;
  const what = compared ? 'differences in' : 'the mean';
  const more = needed > n ? `; ${PRECISION} would take about ${needed} such questions` : '';
  if (n === 1) return 'A single question says little about others.';
  const isMarked = compared && n >= FEW_QUERIES;
  return [
    `Brackets show 95% confidence intervals${isMarked ? '; * marks a difference whose interval excludes 0' : ''}.`,
    ...(margin > 0 ? [`${n} questions determine ${what} ${MAIN} to within ${margin.toFixed(2)}${more}.`] : []),
    ...(n < FEW_QUERIES
      ? [`With fewer than ${FEW_QUERIES} questions, the intervals are rough, and no difference is marked.`]
      : []),
  ].join('\n');
}

function marginOf(interval: Interval | undefined): number {
  return interval ? (interval.high - interval.low) / 2 : 0;
}

function describeUnanswered({ mode, questions: results }: Run, questions: readonly Question[]): string {
  const answerable = results.filter(({ measures }) => measures[MAIN] !== undefined);
  const unanswered = answerable.filter(({ measures }) => measures[MAIN] === 0);
  if (unanswered.length === 0) return `${mode} has an answer in the top 10 for every question.\n`;
  const byId = new Map(questions.map((question) => [question.id, question]));
  const shown = unanswered.slice(0, LISTED).map(({ id, type, top }) => {
    const { text = '', spans = [] } = byId.get(id) ?? {};
    return [
      // Quoted as JSON, so that a question cannot control the terminal.
      `  ${printable(id)}: ${JSON.stringify(text)}`,
      `    expected ${spans.map(placeOf).join(type === 'multi' ? ' and ' : ' or ')}`,
      `    first    ${top[0] ? placeOf(top[0]) : 'nothing'}`,
    ].join('\n');
  });
  const more = unanswered.length - shown.length;
  return [
    `${mode} has no answer in the top 10 for ${unanswered.length} of ${answerable.length} questions:`,
    ...shown,
    ...(more > 0 ? [`  … and ${more} more; --json lists all`] : []),
    '',
  ].join('\n');
}

function placeOf(lines: Lines): string {
  return `${printable(lines.file)}:${showLines(lines)}`;
}
