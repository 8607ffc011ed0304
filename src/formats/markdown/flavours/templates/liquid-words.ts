import { isInDestination, SHORT } from '../places.js';
import type { Shown } from '../tags.js';
import { ADDRESS } from './address.js';

/** Tags whose strings are values, names or files, not words for readers. */
const WITHOUT_WORDS = new Set(
  (
    'assign autoescape block call capture case codeblock cycle do echo elif else elseif elsif extends filter for ' +
    'form from highlight if ifchanged ifequal ifnotequal ifversion import include include_cached include_relative ' +
    'layout link liquid load macro now paginate post_url raw render section set static unless url when with'
  ).split(' '),
);

/** Tags of pictures and films, whose single words name a file or an icon. */
const OF_PICTURES = /asset|avatar|embed|icon|image|img|video|youtube/i;

/** `name="value"`, which is not a word; `"some words"`. */
const PARAMETER = /(?<![\w-])[\w-]+[ \t]*[=:][ \t]*(?:"[^"]*"|'[^']*')|"([^"\r\n]*)"|'([^'\r\n]*)'/dg;

const LETTER = /\p{L}/u;
const SEVERAL_WORDS = /\S\s+\S/;
/** What names of classes have, and not every word of a phrase has. */
const OF_NAMES = /[-_\d]/;
/** Not a sentence that ends in one, nor the name of a library, such as Node.js. */
const FILE = /^\S+\.(?!js$)[a-z]\w{1,4}$/i;

const HEADING = /^[ \t>]*#{1,6}[ \t]/;
/** What comes before the text of a line: it may be an item of a list. */
const PREFIX = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?/;

/** A tag of Liquid, from its brace to its end, and its name. */
interface LiquidTag {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/**
 * The strings of a site's own tag that a reader sees: those of several words, or else a string that stands for a word
 * of a sentence or of a list, as in `Ask in {% channel "help" %}.`. Alone on a line, a string of one word is more often
 * an option: `{% callout "info" %}`.
 */
export function wordsOfTag(source: string, { start, end, name }: LiquidTag): Shown[] {
  if (WITHOUT_WORDS.has(name) || isInDestination(source, start)) return [];
  const strings: (Shown & { readonly text: string })[] = [];
  for (const { 1: double, 2: single, indices } of source.slice(start, end).matchAll(PARAMETER)) {
    const text = double ?? single ?? '';
    const [first, last] = indices?.[1] ?? indices?.[2] ?? [0, 0];
    if (!LETTER.test(text) || ADDRESS.test(text) || FILE.test(text)) continue;
    strings.push({ text, open: start + first - 1, close: start + last });
  }
  const phrases = strings.filter(({ text }) => SEVERAL_WORDS.test(text) && !areNames(text));
  if (phrases.length > 0) return phrases;
  return strings.length === 1 && !OF_PICTURES.test(name) && isInText(source, { start, end, name }) ? strings : [];
}

/** Whether all words are names of classes: `margin-top-3 width-full`. */
function areNames(text: string): boolean {
  return text.split(/\s+/).every((word) => OF_NAMES.test(word));
}

/** Whether a tag, which is not the beginning of a block, is part of a sentence or of an item of a list. */
function isInText(source: string, { start, end, name }: LiquidTag): boolean {
  const near = source.slice(Math.max(0, start - SHORT), start);
  const before = near.slice(Math.max(near.lastIndexOf('\n'), near.lastIndexOf('\r')) + 1);
  const [after = ''] = /^[^\r\n]*/.exec(source.slice(end, end + SHORT)) ?? [];
  if (HEADING.test(before) || after.includes(`end${name}`)) return false;
  const [prefix = ''] = PREFIX.exec(before) ?? [];
  return /\S/.test(prefix.replaceAll('>', '')) || /\S/.test(before.slice(prefix.length) + after);
}
