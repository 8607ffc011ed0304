import { z } from 'zod';
import { fileOperation } from './operation.js';
import { foundPassageSchema } from './passage-schema.js';
import { tagFilterSchema } from './tag-schema.js';

const flag = z.boolean().optional().describe('true or false');

export const searchFilesResponse = z.strictObject({ passages: z.array(foundPassageSchema) });

/** Of the answer: how much of the bot is found by meaning, too. */
const COVERAGE = 'x-waymark-coverage';

const QUERY_BYTES = 2048;

export const searchFiles = fileOperation({
  id: 'searchFiles',
  method: 'GET',
  path: '/v1/files/search',
  summary: 'Find the passages of the files that answer a question',
  permission: 'search',
  parts: {
    query: z.object({
      query: z
        .string()
        .refine((query) => query.trim() !== '' && Buffer.byteLength(query) <= QUERY_BYTES)
        .describe(`a text, not blank, of 1 to ${QUERY_BYTES} bytes`),
      contextDepth: z.int().min(0).max(10).default(1).describe('an integer from 0 to 10'),
      limit: z.int().min(1).max(50).default(20).describe('an integer from 1 to 50'),
      consolidate: flag,
      includeBreadcrumb: flag,
      withContext: flag,
      tags: tagFilterSchema.optional().describe(tagFilterSchema.description ?? ''),
    }),
  },
  response: searchFilesResponse,
  searches: true,
  headers: {
    [COVERAGE]: 'share of the passages that are embedded, 0 to 1; the others are found by their words only',
  },
  async handle({ target, request, header }) {
    const answer = await target.searchFiles(request);
    // Down, not to the nearest: 1 is said of all only.
    header(COVERAGE, String(Math.floor((await target.coverage()) * 10_000) / 10_000));
    return answer;
  },
});
