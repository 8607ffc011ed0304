import { querySchema } from '../contract/fields/query.js';
import { WaymarkError } from '../domain/errors.js';
import { z } from '../domain/zod.js';
import { readJsonLines } from './json-lines.js';
import type { Lines } from './span.js';
import { ALL } from './summary.js';

/** A query with the lines that answer it. */
export interface Question {
  readonly id: string;
  /** Name of the corpus to search; missing if there is only one. */
  readonly corpus?: string;
  /** Kind of question. `multi` needs all its spans, any other kind needs one, and `unanswerable` has none. */
  readonly type: string;
  /** The question as it is asked. */
  readonly text: string;
  /** The lines that answer it; empty for a question without an answer. */
  readonly spans: readonly Lines[];
}

const UNANSWERABLE = 'unanswerable';

const MUST = {
  string: 'must be a non-empty string',
  query: `must be ${querySchema.description}`,
  type: `must be a non-empty string, and not "${ALL}", which stands for all types`,
  line: 'must be a positive integer',
  gold: 'must be a list of { file, startLine, endLine }, empty for an unanswerable question',
};

const string = z.string(MUST.string).min(1, MUST.string);
const line = z.int(MUST.line).min(1, MUST.line);

const spanSchema = z
  .object({ file: string, startLine: line, endLine: line }, 'must be { file, startLine, endLine }')
  .refine(({ startLine, endLine }) => startLine <= endLine, {
    error: 'must not be less than startLine',
    path: ['endLine'],
  });

const schema = z
  .object(
    {
      id: string.optional(),
      corpus: string.optional(),
      type: z
        .string(MUST.type)
        .min(1, MUST.type)
        .refine((type) => type !== ALL, MUST.type)
        .optional(),
      query: z.string(MUST.query).refine((query) => querySchema.safeParse(query).success, MUST.query),
      gold: z.array(spanSchema, MUST.gold),
    },
    'must be a JSON object with query and gold',
  )
  .refine(({ type, gold }) => type !== UNANSWERABLE || gold.length === 0, {
    error: `must be empty if type is ${UNANSWERABLE}: remove its lines, or give another type`,
    path: ['gold'],
  })
  .refine(({ type = UNANSWERABLE, gold }) => type === UNANSWERABLE || gold.length > 0, {
    error: `must not be empty unless type is ${UNANSWERABLE}: add the lines that answer, or give that type`,
    path: ['gold'],
  });

const EXAMPLE = '{"query": "…", "gold": [{"file": "guide.md", "startLine": 3, "endLine": 9}]}';

/**
 * Reads questions from a JSON Lines file: `{ id?, corpus?, type?, query, gold: [{ file, startLine, endLine }] }`. `id`
 * defaults to the line number; `type` defaults to `question`, or to `unanswerable` if `gold` is empty. Throws
 * `INVALID_ARGUMENT`, naming the file and the line.
 */
export function readQuestions(file: string): Question[] {
  const questions = readJsonLines(file, schema).map(({ line, value }): Question => {
    const { id = String(line), corpus, query, gold } = value;
    const { type = gold.length === 0 ? UNANSWERABLE : 'question' } = value;
    return { id, ...(corpus !== undefined && { corpus }), type, text: query, spans: gold };
  });
  if (questions.length === 0) {
    throw new WaymarkError('INVALID_ARGUMENT', `${file} has no questions. Write one per line: ${EXAMPLE}`);
  }
  const ids = new Set<string>();
  for (const { id } of questions) {
    if (ids.has(id))
      throw new WaymarkError('INVALID_ARGUMENT', `${file} uses the id "${id}" twice. Ids must be unique.`);
    ids.add(id);
  }
  return questions;
}
