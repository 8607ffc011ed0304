import path from 'node:path';
import { readQuestions } from 'waymark/evaluation';
import { CORPUS } from '../folders/paths.js';

/** The questions about corpus/, as queries. */
export function corpusQueries(): string[] {
  return readQuestions(path.join(CORPUS, 'queries.jsonl')).map(({ text }) => text);
}
