import path from 'node:path';
import { meanLines } from 'waymark/evaluation';
import { UsageError } from '../support/cli/usage-error.js';
import { loadCollection } from '../support/collections/load-collection.js';
import { CACHE } from '../support/folders/paths.js';
import { cacheFolderOf } from '../support/indexes/collection-cache.js';
import { indexCorpus } from '../support/indexes/index-corpus.js';
import { searchRanker } from '../support/ranking/ranker.js';
import { progressLogger } from '../support/report/progress.js';

/** Passages of an answer. */
const DEPTH = 10;

/** How long the answers of a corpus are. */
export interface AnswerLines {
  readonly corpus: string;
  readonly questions: number;
  /** Lines of one of the first ten passages: the mean over the questions with an answer. */
  readonly lines: number;
}

/**
 * The lengths of the answers to the questions next to a docs folder, with the bundled model. Uses the indexes that the
 * quality benchmark keeps. Throws `UsageError` if there are no questions with lines.
 */
export async function measureAnswers(docs: string): Promise<AnswerLines[]> {
  const collection = loadCollection(path.dirname(path.resolve(docs)));
  if (collection.format !== 'spans') throw new UsageError(`The questions beside ${docs} name no lines.`);
  const cache = cacheFolderOf(collection, { model: undefined, root: CACHE });
  const onProgress = progressLogger();
  const results: AnswerLines[] = [];
  for (const corpus of collection.corpora) {
    const { engine } = await indexCorpus(corpus, { cache, model: undefined, index: 'exact', onProgress });
    try {
      const rank = searchRanker(engine, 'hybrid');
      const questions = collection.queries.filter((query) => query.corpus === corpus.name && query.spans.length > 0);
      let sum = 0;
      for (const { text } of questions) sum += meanLines(await rank(text, DEPTH), { k: DEPTH });
      results.push({ corpus: corpus.name, questions: questions.length, lines: sum / questions.length });
    } finally {
      await engine.close();
    }
  }
  return results;
}
