import type { ParsedPassage } from '../parser.js';
import { CHARACTERS_PER_TOKEN } from './characters-per-token.js';
import type { Gathering } from './gathering.js';
import { countWords } from './words.js';

/** A range that becomes a passage, unless what stands beside it joins it. */
export interface Draft
  extends Pick<ParsedPassage, 'start' | 'end' | 'breadcrumb' | 'subtype' | 'text' | 'readable' | 'length'> {
  /** The embedded text before the readable text: the breadcrumb and the header row of a table. */
  readonly before: readonly string[];
  /** Whether the model can read all of it. */
  readonly fits: boolean;
  /** Whether it has too few words to be a passage. */
  readonly isScrap: boolean;
}

/** Tokens of the budget for each word that a passage must have: three words with the default budget. */
const TOKENS_PER_WORD = 64;

/** The most words that a passage must have. */
const MOST_REQUIRED = 3;

/** A range with its texts. With `surelyFits`, its tokens are not counted. */
export function draftOf(
  { start, end, breadcrumb, before, subtype }: Pick<Draft, 'start' | 'end' | 'breadcrumb' | 'before' | 'subtype'>,
  gathering: Gathering & { readonly surelyFits?: boolean },
): Draft {
  const { countTokens, maxTokens, budget, surelyFits = false } = gathering;
  const readable = gathering.readable(start, end);
  const text = [...before, readable].join('\n');
  const fits = surelyFits || countTokens(text) <= maxTokens;
  const required = Math.min(MOST_REQUIRED, Math.floor(budget / TOKENS_PER_WORD));
  const isScrap = countWords(readable, { most: required }) < required;
  return { start, end, breadcrumb, before, subtype, text, readable, length: readable.length, fits, isScrap };
}

/** Drafts in order, where scraps belong to the draft before them, or else to the one behind. */
export function withoutScraps(drafts: readonly Draft[], gathering: Gathering): Draft[] {
  const kept: Draft[] = [];
  for (const draft of drafts) addDraft(kept, draft, gathering);
  return kept;
}

/** Adds a draft to those before it, or joins it with the last of them. Returns whether it was joined. */
export function addDraft(drafts: Draft[], draft: Draft, gathering: Gathering): boolean {
  const last = drafts.at(-1);
  const joined = last && joinedScrap(last, draft, gathering);
  if (joined) drafts.pop();
  drafts.push(joined ?? draft);
  return joined !== undefined;
}

/**
 * Two neighbours as one draft if one of them is a scrap; undefined if not, if the model could not read it all, or if
 * what nobody reads between them is long.
 */
function joinedScrap(a: Draft, b: Draft, gathering: Gathering): Draft | undefined {
  if (!a.isScrap && !b.isScrap) return undefined;
  if (b.end - a.start > gathering.maxTokens * CHARACTERS_PER_TOKEN) return undefined;
  const joined = draftOf({ ...(b.isScrap ? a : b), start: a.start, end: b.end }, gathering);
  return joined.fits ? joined : undefined;
}
