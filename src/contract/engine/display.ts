import type { Abortable } from '../../domain/abortable.js';
import { SUBTYPES, type Subtype } from '../../domain/passage.js';
import { z } from '../../domain/zod.js';
import { querySchema } from '../fields/query.js';
import { plainOptions, validate } from '../validate.js';

/** Options of `shownText`. */
export interface ShownTextOptions {
  /** The content type of the file that the text is from. Defaults to markdown. */
  readonly contentType?: string | undefined;
}

/** Options of `highlight`. */
export interface HighlightOptions extends ShownTextOptions, Abortable {
  /**
   * Whether the text is one that `shownText` returned: if it is not markdown, it is read as lines without markup, and
   * markup that `shownText` has left, after its first 4,000 characters, counts as words. Defaults to false.
   */
  readonly isShown?: boolean | undefined;
}

const shownTextSchema = z.object({
  text: z.string().describe('a string'),
  contentType: z.string().optional().describe('a media type such as text/markdown'),
});

const highlightSchema = shownTextSchema.extend({ query: querySchema, isShown: z.boolean().optional() });

/** Throws `INVALID_ARGUMENT`. */
export function validateShownText(text: string, options: ShownTextOptions): z.output<typeof shownTextSchema> {
  return validate(shownTextSchema, { ...plainOptions(options), text });
}

/** Throws `INVALID_ARGUMENT`. */
export function validateHighlight(
  request: { readonly query: string; readonly text: string },
  options: HighlightOptions,
): z.output<typeof highlightSchema> {
  return validate(highlightSchema, { ...plainOptions(options), ...request });
}

/** Options of `shownHtml`. */
export interface ShownHtmlOptions extends ShownTextOptions {
  /** A range of the text to highlight. */
  readonly highlight?: { readonly start: number; readonly end: number } | undefined;
  /** The query whose words are highlighted. */
  readonly query?: string | undefined;
  /** The subtype of the passage: with `code`, the lines of a cell of a notebook are code. */
  readonly subtype?: Subtype | undefined;
}

const rangeSchema = z.object({ start: z.int().min(0), end: z.int().min(0) });

const shownHtmlSchema = shownTextSchema.extend({
  highlight: rangeSchema.optional().describe('an object of start and end, offsets in the text'),
  query: querySchema.optional(),
  subtype: z
    .enum(SUBTYPES)
    .optional()
    .describe(`one of ${SUBTYPES.join(', ')}`),
});

/** Throws `INVALID_ARGUMENT`. */
export function validateShownHtml(text: string, options: ShownHtmlOptions): z.output<typeof shownHtmlSchema> {
  return validate(shownHtmlSchema, { ...plainOptions(options), text });
}
