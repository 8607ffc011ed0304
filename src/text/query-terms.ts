import { STOP_WORDS } from './stop-words.js';
import { termsOf } from './terms.js';

/** A query as the lexical index answers it. */
export interface QueryTerms {
  /** Distinct terms, in order. Stop words are dropped, unless the query has nothing else. */
  readonly terms: readonly string[];
  /** Quoted terms, which must follow each other. */
  readonly phrases: readonly (readonly string[])[];
}

/** Maximum number of terms of a query, and of phrases. Passages with these terms are found without the others. */
const MAX_TERMS = 32;

/** The terms and "quoted phrases" of a query; none if the query is only punctuation. */
export function queryTerms(query: string): QueryTerms {
  const phrases = [...query.matchAll(/["“”„]([^"“”„]+)["“”„]/gu)]
    .map(([, quoted]) => termsOf(quoted ?? ''))
    .filter((phrase) => phrase.length > 1)
    .slice(0, MAX_TERMS);
  const all = [...new Set(termsOf(query))];
  const distinctive = all.filter((term) => !STOP_WORDS.has(term));
  return { terms: (distinctive.length > 0 ? distinctive : all).slice(0, MAX_TERMS), phrases };
}
