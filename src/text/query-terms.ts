import { STOP_WORDS } from './stop-words.js';
import { termsOf } from './terms.js';

/** What a query asks of the lexical index. */
export interface QueryTerms {
  /** Each once, in order; without stop words, unless there is nothing else. */
  readonly terms: readonly string[];
  /** Terms that were quoted together: they must follow each other. */
  readonly phrases: readonly (readonly string[])[];
}

/** Terms of a query at most: a passage that has most of the first ones is found without the others. */
const MOST = 32;

/** The terms and "quoted phrases" of a query; of a query of marks alone there are none. */
export function queryTerms(query: string): QueryTerms {
  const phrases = [...query.matchAll(/["“”„]([^"“”„]+)["“”„]/gu)]
    .map(([, quoted]) => termsOf(quoted ?? ''))
    .filter((phrase) => phrase.length > 1)
    .slice(0, MOST);
  const all = [...new Set(termsOf(query))];
  const telling = all.filter((term) => !STOP_WORDS.has(term));
  return { terms: (telling.length > 0 ? telling : all).slice(0, MOST), phrases };
}
