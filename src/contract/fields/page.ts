import { LIMITS } from '../../domain/limits.js';
import { z } from '../../domain/zod.js';
import { field } from './field.js';

const SIZE = LIMITS.pageSize.value;

/** Which page of a list. */
export const nextTokenField = field(
  z.string().optional().describe('the meta.nextToken of an answer'),
  'Continues a list after the page that returned it.',
);

const sizeSchema = z.int().min(1).max(SIZE);
const RULE = `an integer from 1 to ${SIZE}`;
const PURPOSE = 'The maximum number of items on the page.';

/** How long a page of a list is. */
export const pageSizeField = field(sizeSchema.default(20).describe(RULE), PURPOSE);

/** How long a page of names is. */
export const namePageSizeField = field(sizeSchema.optional().describe(RULE), `${PURPOSE} Defaults to ${SIZE}.`);

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
