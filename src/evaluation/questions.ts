import { z } from 'zod';
import { querySchema } from '../contract/fields/query.js';
import { WaymarkError } from '../domain/errors.js';
import { readJsonLines } from './json-lines.js';
import type { Lines } from './span.js';

/** A query with the lines that answer it. */
export interface Question {
  readonly id: string;
  /** Which of several collections of files it asks; missing where there is but one. */
  readonly corpus?: string;
  /** Kind of question: `multi` wants all spans, the others any one, `unanswerable` has none. */
  readonly type: string;
  readonly text: string;
  readonly spans: readonly Lines[];
}

const UNANSWERABLE = 'unanswerable';

const MUST = {
  text: 'must be a text, not empty',
  query: `must be ${querySchema.description}`,
  line: 'must be a whole number from 1',
  gold: 'must be a list of { file, startLine, endLine }, empty for a question without an answer',
};

const text = z.string(MUST.text).min(1, MUST.text);
const line = z.int(MUST.line).min(1, MUST.line);

const spanSchema = z
  .object({ file: text, startLine: line, endLine: line }, 'must be { file, startLine, endLine }')
  .refine(({ startLine, endLine }) => startLine <= endLine, {
    error: 'must not be before startLine',
    path: ['endLine'],
  });

const schema = z
  .object(
    {
      id: text.optional(),
      corpus: text.optional(),
      type: text.optional(),
      query: z.string(MUST.query).refine((query) => querySchema.safeParse(query).success, MUST.query),
      gold: z.array(spanSchema, MUST.gold),
    },
    'must be a JSON object with query and gold',
  )
  .refine(({ type, gold }) => type === undefined || (type === UNANSWERABLE) === (gold.length === 0), {
    error: 'must be empty where type is unanswerable, and only there',
    path: ['gold'],
  });

/** How a line is written, for who wrote none. */
const EXAMPLE = '{"query": "…", "gold": [{"file": "guide.md", "startLine": 3, "endLine": 9}]}';

/**
 * The questions of a file with one a line: `{ id?, corpus?, type?, query, gold: [{ file, startLine, endLine }] }`. `id` is
 * the number of the line unless given, `type` is `question`, or `unanswerable` where `gold` is empty. Throws
 * `INVALID_ARGUMENT`, naming the file and the line.
 */
export function readQuestions(file: string): Question[] {
  const questions = readJsonLines(file, schema).map(({ line, value }): Question => {
    const { id = String(line), corpus, query, gold } = value;
    const { type = gold.length === 0 ? UNANSWERABLE : 'question' } = value;
    return { id, ...(corpus !== undefined && { corpus }), type, text: query, spans: gold };
  });
  const [first] = questions;
  if (!first) throw new WaymarkError('INVALID_ARGUMENT', `${file} has no question: write one a line, as ${EXAMPLE}.`);
  const seen = new Set<string>();
  for (const { id } of questions) {
    if (seen.has(id)) throw new WaymarkError('INVALID_ARGUMENT', `${file} has two questions of the id "${id}".`);
    seen.add(id);
  }
  return questions;
}
