import { withoutExtension } from '../domain/description.js';
import { LIMITS } from '../domain/limits.js';
import { truncated } from './truncated.js';

/** Names that do not describe the file: it is the page of its folder. */
const FOLDER_PAGE = /^(?:readme|_?index)$/i;

/** A name without two letters in a row is a number, a date or a letter. */
const WORD = /\p{L}{2}/u;

/**
 * The title of a file that gives itself none: its name in words, without its extension. `docs/getting-started.md` is
 * "getting started", and `docs/README.md` is "docs". Undefined if the name has no word.
 */
export function titleOfName(key: string): string | undefined {
  const [name = '', folder = ''] = withoutExtension(key).split('/').reverse();
  const words = inWords(FOLDER_PAGE.test(name) ? folder : name);
  return WORD.test(words) ? words : undefined;
}

/** A name in words: hyphens and underscores between letters separate them, and those of dates and numbers stay. */
export function inWords(name: string): string {
  const spaced = name.replace(/_+|-{2,}/g, ' ').replace(/(?<=\p{L})-|-(?=\p{L})/gu, ' ');
  return truncated(spaced.replace(/\s+/g, ' ').trim(), LIMITS.title.value).toWellFormed();
}
