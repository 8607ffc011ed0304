import type { ParsedPassage } from '../parser.js';
import { CHARACTERS_PER_TOKEN } from './characters-per-token.js';
import type { Gathering } from './gathering.js';
import { countWords } from './words.js';

/** The range of a passage, and what is embedded before its readable text. */
export interface Range extends Pick<ParsedPassage, 'start' | 'end' | 'breadcrumb' | 'subtype'> {
  /** The embedded text before the readable text: the breadcrumb and the header row of a table. */
  readonly before: readonly string[];
  /** What names the row and the values of a part of a row, embedded on a line between both. */
  readonly names?: readonly string[];
}

/** A range that becomes a passage, unless what is next to it joins it. */
export interface Draft extends Range {
  /** What a reader sees of it; missing where it was joined and not read again. */
  readonly readable?: string;
  readonly tokens: Tokens;
  /** Tokens of the readable text, or a few more. */
  readonly own: number;
  /** Whether the model can read all of it. */
  readonly fits: boolean;
  /** Words, counted up to those that a passage must have. */
  readonly words: number;
}

/** Tokens of an embedded text. */
interface Tokens {
  /** Those that were counted at once. */
  readonly counted: number;
  /** The sum of what was counted separately. */
  readonly added: number;
}

/** Tokens of the budget for each word that a passage must have: three words with the default budget. */
const TOKENS_PER_WORD = 64;

/** The most words that a passage must have. */
const MOST_REQUIRED = 3;

/**
 * A range with its text. Its tokens are counted, unless those of its parts, before the readable text and its own, are
 * given and it surely fits.
 */
export function draftOf(
  range: Range,
  gathering: Gathering,
  parts?: { readonly before: number; readonly own: number },
): Draft {
  const { start, end, breadcrumb, before, names = [], subtype } = range;
  const readable = gathering.readable(start, end);
  const sum = { counted: 0, added: parts ? parts.before + parts.own : Number.POSITIVE_INFINITY };
  const tokens = surelyFits(sum, gathering)
    ? sum
    : { counted: gathering.countTokens(embeddedText(range, readable)), added: 0 };
  const fits = tokens.counted + tokens.added <= gathering.maxTokens;
  const words = countWords(readable, { most: required(gathering) });
  const own = parts?.own ?? tokens.counted;
  return { start, end, breadcrumb, before, names, subtype, readable, tokens, own, fits, words };
}

/** The text to embed. */
export function embeddedText(range: Range, readable: string): string {
  return [...range.before, namesLine(range), readable].filter((part) => part !== undefined).join('\n');
}

/** The line that names the row and the values of a part of a row; undefined for other passages. */
export function namesLine({ names = [] }: Range): string | undefined {
  return names.length > 0 ? names.join(' | ') : undefined;
}

/** Whether it has too few words to be a passage. */
export function isScrap({ words }: Draft, gathering: Gathering): boolean {
  return words < required(gathering);
}

/** Drafts in order, where scraps belong to the draft before them, or else to the one after them. */
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
  if (!isScrap(a, gathering) && !isScrap(b, gathering)) return undefined;
  if (b.end - a.start > gathering.maxTokens * CHARACTERS_PER_TOKEN) return undefined;
  const [main, scrap] = isScrap(b, gathering) ? [a, b] : [b, a];
  const { breadcrumb, before, subtype } = main;
  const names = [...new Set([...(a.names ?? []), ...(b.names ?? [])])];
  const [{ start }, { end }] = [a, b];
  // Hundreds of scraps may join one draft: it is not read again for each.
  const between = ownBetween(a, b, gathering);
  const tokens = { counted: main.tokens.counted, added: main.tokens.added + between + scrap.own };
  if (surelyFits(tokens, gathering)) {
    const own = a.own + between + b.own;
    return { start, end, breadcrumb, before, names, subtype, tokens, own, fits: true, words: a.words + b.words };
  }
  const joined = draftOf({ start, end, breadcrumb, before, names, subtype }, gathering);
  return joined.fits ? joined : undefined;
}

/** Tokens of what is read between two drafts, such as a heading. */
function ownBetween({ end }: Draft, { start }: Draft, { readable, countTokens }: Gathering): number {
  const between = readable(end, start);
  return between === '' ? 0 : countTokens(between);
}

/** Whether what was added takes half of the room at most: the sum cannot be off by enough to matter. */
function surelyFits({ counted, added }: Tokens, { maxTokens }: Gathering): boolean {
  return added <= (maxTokens - counted) / 2;
}

function required({ budget }: Gathering): number {
  return Math.min(MOST_REQUIRED, Math.floor(budget / TOKENS_PER_WORD));
}
