/**
 * Evaluation of a search against questions whose answers are known: measures, means with intervals, tables.
 *
 *     import { openEngine } from 'waymark';
 *     import { evaluateQuestion, rankedPassage, readQuestions, summarise } from 'waymark/evaluation';
 *
 *     const engine = await openEngine({ database: '.waymark/waymark.db' });
 *     const results = [];
 *     for (const question of readQuestions('questions.jsonl')) {
 *       const hits = await engine.search(question.text, { limit: 10 });
 *       results.push(evaluateQuestion(question, hits.map(rankedPassage)));
 *     }
 *     console.log(summarise(results).at(-1)?.measures['RR@10']);
 *     await engine.close();
 */

export { auroc } from './auroc.js';
export { type BootstrapOptions, bootstrapDifference, bootstrapMean, type Interval, mulberry32 } from './bootstrap.js';
export { type Differences, FEW_QUERIES, isSignificant, pairedDifferences } from './differences.js';
export { evaluateQuestion, type QuestionResult } from './evaluate-question.js';
export { type JsonLine, readJsonLines } from './json-lines.js';
export { quantile } from './quantile.js';
export { type Question, readQuestions } from './questions.js';
export { type RankedPassage, rankedPassage } from './ranked-passage.js';
export { reciprocalRank } from './reciprocal-rank.js';
export { type Answer, type Lines, sharedLines } from './span.js';
export { meanLines, spanIou, spanRecall, spanReciprocalRank } from './span-measures.js';
export { type MeasuredQuery, type SummaryRow, summarise } from './summary.js';
export { differencesTable, formatInterval, summaryTable, type TableOptions } from './tables.js';
export { textTable } from './text-table.js';
