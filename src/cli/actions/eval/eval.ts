import {
  evaluateQuestion,
  pairedDifferences,
  type Question,
  type QuestionResult,
  rankedPassage,
  readQuestions,
  summarise,
} from '../../../evaluation/index.js';
import { type Mode, type SearchEngine, WaymarkError } from '../../../index.js';
import { SUCCESS } from '../../exit-codes.js';
import { MODES } from '../../modes.js';
import { type Evaluation, type Run, showEvaluation } from '../../output/evaluation.js';
import { print, printMessage } from '../../output/print.js';
import { finishWith, noFiles } from '../../output/results/index-advice.js';
import type { BotPlace } from '../../storage-place.js';
import { type BotFilesOptions, withEngine } from '../open.js';
import { checkGold } from './gold.js';

export interface EvalCommandOptions extends BotFilesOptions {
  readonly mode?: Mode;
}

/** Passages to retrieve per question: as many as the measures consider. */
const DEPTH = 10;

/** `waymark eval <questions>` */
export async function evaluate(file: string, options: EvalCommandOptions): Promise<number> {
  const questions = readQuestions(file);
  if (questions.every(({ spans }) => spans.length === 0)) {
    const message = `No question in ${file} has gold lines. Add the lines that answer at least one of them.`;
    throw new WaymarkError('INVALID_ARGUMENT', message);
  }
  // Questions run one after the other: a second process would be idle.
  return withEngine(options, { create: false, processes: 1 }, async (engine) => {
    await checkIndexed(engine, options);
    await checkGold(questions, engine);
    const runs = await runQuestions(questions, { engine, modes: options.mode ? [options.mode] : MODES });
    const evaluation = { runs, differences: differencesOf(runs) };
    print(evaluation, { json: options.json, lines: showEvaluation(evaluation, { questions }).trimEnd().split('\n') });
    return SUCCESS;
  });
}

async function checkIndexed(engine: SearchEngine, botPlace: BotPlace): Promise<void> {
  const status = await engine.status();
  const { files, passages, embedded } = status;
  if (files === 0) throw new WaymarkError('INDEX_MISSING', noFiles(status, botPlace));
  if (embedded === passages) return;
  const missing = `${passages - embedded} of ${passages} passages are not embedded`;
  printMessage(`${missing}. ${finishWith(botPlace)}`);
}

/** Runs each question in all modes before the next one, so that it is embedded only once. */
async function runQuestions(
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
