import { LIMITS } from '../../domain/limits.js';
import { SUBTYPES } from '../../domain/passage.js';
import { z } from '../../domain/zod.js';
import { field } from '../fields/field.js';
import {
  additionSchema,
  flagSchema,
  minScoreSchema,
  modeSchema,
  pathsSchema,
  querySchema,
  tagFilterSchema,
} from '../fields/query.js';
import type { HttpOperation, RequestOf, ResponseOf } from '../operation.js';

const LIMIT = LIMITS.searchFilesLimit.value;
const DEPTH = LIMITS.contextDepth.value;

const request = z
  .object({
    query: field(querySchema, 'What to look for, in natural language.'),
    contextDepth: field(
      z.int().min(0).max(DEPTH).default(1).describe(`an integer from 0 to ${DEPTH}`),
      'How many neighbouring passages before and after each match its content includes.',
    ),
    limit: field(
      z.int().min(1).max(LIMIT).default(20).describe(`an integer from 1 to ${LIMIT}`),
      'The maximum number of passages or, with `consolidate`, of files.',
    ),
    consolidate: field(
      flagSchema,
      'Merges the matches of a file into one passage, in the order of the file and under their headings: its best, ' +
        'and those that score at least a tenth of the first hit.',
    ),
    perFile: field(
      z.int().min(1).max(LIMIT).optional().describe(`an integer from 1 to ${LIMIT}`),
      'The maximum number of matches of one file; matches of other files replace further ones. Defaults to all.',
    ),
    includeBreadcrumb: field(
      flagSchema,
      'Puts `Title > Subtitle` and an empty line in front of the content. No effect with `consolidate`.',
    ),
    withContext: field(
      flagSchema,
      'Lists the match and its neighbours in `context`. Not supported with `consolidate`.',
    ),
    tags: field(tagFilterSchema, 'Searches only files with these tags; all conditions must hold.'),
    path: field(
      pathsSchema,
      'Searches only files with this key, in this folder or matching this glob, such as `guides`; of a list, any of ' +
        'them.',
    ),
    mode: field(
      modeSchema,
      'Which retrievers rank: both, the dense one (meaning) or the lexical one (words). Defaults to hybrid.',
    ),
    minScore: field(minScoreSchema, 'Leaves out matches with a lower score. Defaults to 0.'),
    explain: field(
      additionSchema,
      'Adds how the score was computed to `meta`; a consolidated passage has that of its best match.',
    ),
    positions: field(additionSchema, 'Adds the position of each match to `meta`: offsets, lines, breadcrumb, display.'),
    highlight: field(
      additionSchema,
      'Adds the range of the sentence in `content` that is nearest to the query to `meta`. Embeds up to 32 sentences ' +
        `of each passage, and ${LIMITS.highlighted.value} in all.`,
    ),
  })
  .refine(
    ({ consolidate, withContext }) => !(consolidate && withContext),
    'withContext is not supported with consolidate: use one of them.',
  );

/** Place and kind of a passage in its file. */
export const passageMetaSchema = z
  .object({
    type: z.enum(['chunk', 'consolidated']),
    subtype: z.enum(SUBTYPES).optional().describe('The kind of block that makes up most of the passage.'),
    pageNumber: z.int().optional().describe('The page of the original document, from 1.'),
    position: z.int().describe('The ordinal of the passage in its file, from 0.'),
    sourceUrl: z.string().optional().describe("The `sourceUrl` of the file's metadata."),
  })
  .meta({ title: 'PassageMeta' });

/** See `Explanation`. The names of the parts are given: Zod takes many times as long for a record. */
const explanationSchema = z.object({
  dense: z
    .object({
      cosine: z
        .number()
        .optional()
        .describe("Cosine of the query's and the passage's embeddings; missing if the passage is not embedded yet."),
      rank: z.int().optional().describe('Rank by cosine, from 1; missing beyond the candidates.'),
    })
    .optional()
    .describe("The dense retriever; missing with `mode: 'lexical'`."),
  lexical: z
    .object({
      bm25: z.number().describe("BM25 of the query's terms in the passage and its breadcrumb."),
      share: z.number().describe('BM25 as a share of the maximum for the query, 0 to 1.'),
      rarity: z.number().describe('Rarity of the rarest of `terms`, 0 to 1.'),
      rank: z.int().optional().describe('Rank by BM25, from 1; missing beyond the candidates.'),
      terms: z.array(z.string()).describe('Terms of the query that the passage or its breadcrumb has.'),
    })
    .optional()
    .describe("The lexical retriever; missing with `mode: 'dense'`."),
  parts: z
    .object({
      dense: z.number().optional().describe("The cosine on the model's scale."),
      lexical: z.number().optional().describe('The weighted share of BM25.'),
      length: z.number().optional().describe('A prior on the length.'),
      prose: z.number().optional().describe('A prior on the kind of block.'),
    })
    .describe('The addends of `sum`.'),
  sum: z.number().describe('What hits are ordered by.'),
  lead: z.number().describe('The difference between `sum` and the best other sum; below 0 for all but the best.'),
  contrast: z
    .number()
    .optional()
    .describe(
      "Lead of the nearest passage over the 50th, on the scale of `parts.dense`; missing with `mode: 'lexical'`.",
    ),
});

/** Place and kind of a match, with what a search is asked to add. */
export const matchMetaSchema = passageMetaSchema
  .extend({
    start: z.int().optional().describe('UTF-16 offset in the file of the first code unit of the match.'),
    end: z.int().optional().describe('UTF-16 offset after its last code unit.'),
    startLine: z.int().optional().describe('Line of its first code unit, from 1.'),
    endLine: z.int().optional().describe('Line of its last code unit.'),
    breadcrumb: z.array(z.string()).optional().describe('The headings above it.'),
    display: z
      .string()
      .optional()
      .describe('The match, completed with the fences or the table header that belong to it.'),
    explanation: explanationSchema.optional().describe('How the score was computed.'),
    highlight: z
      .object({ start: z.int(), end: z.int() })
      .optional()
      .describe('UTF-16 offsets in `content`; missing if it has no sentence.'),
  })
  .meta({ title: 'MatchMeta' });

const contextItemSchema = z.object({
  id: z.uuid().optional().describe('The passage; missing for a breadcrumb.'),
  text: z.string().describe('The text of the passage, or the breadcrumb.'),
  offset: z.int().optional().describe('Passages from the match: negative before it, 0 for the match itself.'),
  /** Where the item is, relative to the match. */
  type: z.enum(['preceding', 'current', 'subsequent', 'breadcrumb']),
});

const foundPassageSchema = z.object({
  content: z.string().describe('The passage and its neighbours, as far as `contextDepth` reaches.'),
  score: z.number().min(0).max(1).describe('How well the passage matches; higher is better.'),
  meta: matchMetaSchema,
  file: z.object({
    id: z.string(),
    key: z.string(),
    contentType: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    tags: z.record(z.string(), z.string()),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  }),
  context: z.array(contextItemSchema).optional().describe('Only with `withContext`.'),
});

/** The header with the share of passages that the dense retriever can find. */
export const COVERAGE_HEADER = 'x-waymark-coverage';

/** Searches the files of a bot. */
export const searchFiles = {
  id: 'searchFiles',
  summary: 'Find the passages that best match a query, best first',
  permission: 'search',
  method: 'GET',
  path: '/v1/files/search',
  request,
  response: z.object({ passages: z.array(foundPassageSchema) }),
  responseHeaders: {
    [COVERAGE_HEADER]: 'The share of passages that are embedded, 0 to 1; the others are found by their words only.',
  },
  errors: ['RESPONSE_TOO_LARGE'],
  searches: true,
} as const satisfies HttpOperation;

/** A file search; docs/reference/operations.md has the range and default of each field. */
export type SearchFilesRequest = RequestOf<typeof searchFiles>;

type ContractPassage = ResponseOf<typeof searchFiles>['passages'][number];

/** A passage around a match, or the match itself. A breadcrumb has neither id nor offset. */
export type ContextItem = NonNullable<ContractPassage['context']>[number];

/** Where a match is in its file: UTF-16 offsets, and lines from 1. Only with `positions`. */
export interface MatchPosition {
  /** Offset of the first code unit. */
  readonly start: number;
  /** Offset after the last code unit. */
  readonly end: number;
  /** Line of the first code unit. */
  readonly startLine: number;
  /** Line of the last code unit. */
  readonly endLine: number;
  readonly breadcrumb: readonly string[];
  /**
   * The match with the fences of the code, or the header of the table, of which it is a part; for a consolidated
   * passage, all of its content in the same way.
   */
  readonly display: string;
}

/** A passage as searchFiles returns it. `meta` has more on request: `positions`, `explain`, `highlight`. */
export type FoundPassage = ContractPassage;

/** The answer of searchFiles: passages by descending score. */
export interface SearchFilesResponse {
  readonly passages: readonly FoundPassage[];
}
