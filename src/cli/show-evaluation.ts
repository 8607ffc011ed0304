import {
  type Differences,
  differencesTable,
  type Interval,
  type Lines,
  type Mode,
  type Question,
  type QuestionResult,
  type SummaryRow,
  summaryTable,
} from '../index.js';

/** How a mode answered the questions. */
export interface Run {
  readonly mode: Mode;
  readonly summary: readonly SummaryRow[];
  readonly questions: readonly QuestionResult[];
}

export interface Evaluation {
  readonly runs: readonly Run[];
  /** What the first mode has over each of the others. */
  readonly differences: readonly (Differences & { readonly name: string })[];
}

const MEASURES = ['RR@10', 'Recall@5', 'IoU@5', 'lines@10'];
const MAIN = 'RR@10';

/** What a difference, or the error of a mean, should be told to. */
const FINE = 0.05;

/** Below it an interval is a rough guess: so few questions hardly tell how much others would vary. */
const FEW = 20;

/** Questions without an answer among the first ten that are listed. */
const LISTED = 10;

/** Tables of the means and of the differences, what so many questions can tell, and what was not found. */
export function showEvaluation(
  { runs, differences }: Evaluation,
  { questions }: { readonly questions: readonly Question[] },
): string {
  const rows = runs.flatMap(({ mode, summary }) => ofSeveral(summary).map((row) => ({ name: mode, ...row })));
  const [first] = runs;
  return [
    summaryTable(rows, { of: 'mode', measures: MEASURES }),
    ...(differences.length > 0 ? [differencesTable(differences, { measures: MEASURES })] : []),
    `${advice({ runs, differences })}\n`,
    ...(first ? [missed(first, questions)] : []),
  ].join('\n');
}

/** One kind of question is all of them: it needs no row of its own. */
function ofSeveral(summary: readonly SummaryRow[]): readonly SummaryRow[] {
  return summary.length === 2 ? summary.slice(1) : summary;
}

/** How sure so many questions are, and how many make sure: an interval narrows with the root of their number. */
function advice({ runs, differences }: Evaluation): string {
  const n = runs[0]?.summary.at(-1)?.n ?? 0;
  const several = differences.length > 0;
  const intervals = several
    ? differences.map(({ measures }) => measures[MAIN])
    : [runs[0]?.summary.at(-1)?.measures[MAIN]];
  const margin = Math.max(...intervals.map(marginOf));
  const needed = Math.ceil((n * (margin / FINE) ** 2) / 10) * 10;
  const told = several ? `a difference of ${margin.toFixed(2)} or more` : `the mean to within ${margin.toFixed(2)}`;
  const wanted = several ? `one of ${FINE}` : String(FINE);
  const more = needed > n ? `; to tell ${wanted} takes about ${needed} such questions` : '';
  return [
    `In brackets the 95 % interval${several ? '; * marks a difference whose interval leaves out 0' : ''}.`,
    ...(margin > 0 ? [`${n} questions tell ${told} in ${MAIN}${more}.`] : []),
    ...(n < FEW ? [`With fewer than ${FEW} questions an interval is a rough guess.`] : []),
  ].join('\n');
}

function marginOf(interval: Interval | undefined): number {
  return interval ? (interval.high - interval.low) / 2 : 0;
}

function missed({ mode, questions: results }: Run, questions: readonly Question[]): string {
  const answerable = results.filter(({ measures }) => measures[MAIN] !== undefined);
  const missing = answerable.filter(({ measures }) => measures[MAIN] === 0);
  if (missing.length === 0) return `${mode} has an answer to each question among the first ten.\n`;
  const asked = new Map(questions.map((question) => [question.id, question]));
  const shown = missing.slice(0, LISTED).map(({ id, type, top }) => {
    const { text = '', spans = [] } = asked.get(id) ?? {};
    // Quoted as JSON, nothing in a question steers the terminal.
    return [
      `  ${id}: ${JSON.stringify(text)}`,
      `    expected ${spans.map(placeOf).join(type === 'multi' ? ' and ' : ' or ')}`,
      `    first    ${top[0] ? placeOf(top[0]) : 'nothing'}`,
    ].join('\n');
  });
  const more = missing.length - shown.length;
  return [
    `Without an answer among the first ten of ${mode}: ${missing.length} of ${answerable.length}`,
    ...shown,
    ...(more > 0 ? [`  … and ${more} more: --json has all`] : []),
    '',
  ].join('\n');
}

function placeOf({ file, startLine, endLine }: Lines): string {
  return `${file}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`;
}
