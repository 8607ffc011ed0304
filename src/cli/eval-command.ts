import {
  evaluateQuestion,
  type Mode,
  pairedDifferences,
  type Question,
  type QuestionResult,
  rankedPassage,
  readQuestions,
  type SearchEngine,
  summarise,
  WaymarkError,
} from '../index.js';
import { RESULTS } from './exit-code.js';
import { type IndexOptions, openFor } from './options.js';
import { type Evaluation, type Run, showEvaluation } from './show-evaluation.js';

export interface EvalCommandOptions extends IndexOptions {
  readonly mode?: Mode;
}

const MODES: readonly Mode[] = ['hybrid', 'dense', 'lexical'];

/** Passages that are asked for: as many as the measures look at. */
const DEPTH = 10;

/** `waymark eval <questions>` */
export async function evalCommand(file: string, options: EvalCommandOptions): Promise<number> {
  const questions = readQuestions(file);
  if (questions.every(({ spans }) => spans.length === 0)) {
    throw new WaymarkError('INVALID_ARGUMENT', `No question of ${file} has gold: write the lines that answer it.`);
  }
  // Questions are asked one after the other: a second process would wait.
  const engine = await openFor(options, { create: false, processes: 1 });
  try {
    await checkIndexed(engine);
    await checkGold(questions, engine);
    const runs = await ask(questions, { engine, modes: options.mode ? [options.mode] : MODES });
    const evaluation = { runs, differences: differencesOf(runs) };
    process.stdout.write(
      options.json ? `${JSON.stringify(evaluation, null, 2)}\n` : showEvaluation(evaluation, { questions }),
    );
    return RESULTS;
  } finally {
    await engine.close();
  }
}

async function checkIndexed(engine: SearchEngine): Promise<void> {
  const { files, bot, passages, embedded } = await engine.status();
  if (files === 0) {
    const message = `Bot "${bot.name}" has no files yet: index some with: waymark index <folder>`;
    throw new WaymarkError('INDEX_MISSING', message);
  }
  if (embedded === passages) return;
  process.stderr.write(`${passages - embedded} passages are not embedded yet: go on with: waymark index <folder>\n`);
}

/** Gold in a file that is not there would count as missed by every mode. */
async function checkGold(questions: readonly Question[], engine: SearchEngine): Promise<void> {
  for (const { id, spans } of questions) {
    for (const { file } of spans) {
      if (await engine.hasFile(file)) continue;
      const message = `The gold of question ${id} names "${file}", which is not in the index: write a file's path relative to the indexed folder.`;
      throw new WaymarkError('INVALID_ARGUMENT', message);
    }
  }
}

/** All modes in turn for each question: its embedding serves them all. */
async function ask(
  questions: readonly Question[],
  { engine, modes }: { readonly engine: SearchEngine; readonly modes: readonly Mode[] },
): Promise<Run[]> {
  const results = new Map(modes.map((mode) => [mode, [] as QuestionResult[]]));
  for (const question of questions) {
    for (const [mode, answers] of results) {
      const hits = await engine.search(question.text, { limit: DEPTH, mode });
      answers.push(evaluateQuestion(question, hits.map(rankedPassage)));
    }
  }
  return [...results].map(([mode, questions]) => ({ mode, summary: summarise(questions), questions }));
}

function differencesOf([first, ...others]: readonly Run[]): Evaluation['differences'] {
  if (!first) return [];
  return others.map(({ mode, questions }) => ({
    name: `${first.mode} minus ${mode}`,
    ...pairedDifferences({ before: questions, after: first.questions }),
  }));
}
