import { z } from 'zod';
import { LIMITS } from '../../domain/limits.js';
import { field } from './field.js';

const SIZE = LIMITS.pageSize.value;

/** Which page of a list. */
export const nextTokenField = field(
  z.string().optional().describe('the meta.nextToken of an answer'),
  'Continues a list after the page that answered it.',
);

/** How long a page of a list is. */
export const pageSizeField = field(
  z.int().min(1).max(SIZE).default(20).describe(`an integer from 1 to ${SIZE}`),
  'The maximum number of items on the page.',
);

/** Which end of a list comes first. */
export const sortDirectionField = field(
  z.enum(['asc', 'desc']).default('desc').describe('asc or desc'),
  'Ascending or descending order.',
);

/** Metadata of one page of a list. */
export const pageMetaSchema = z.object({
  /** The cursor of the next page; missing on the last one. */
  nextToken: z.string().min(1).optional().describe('Requests the next page; missing on the last page.'),
});

/** Metadata of one page of a list. `nextToken` requests the next page; it is missing on the last. */
export interface PageMeta {
  /** The cursor of the next page; missing on the last one. */
  readonly nextToken?: string;
}
