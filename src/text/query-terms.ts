import type { LexicalQuery } from '../storage/retrieval.js';
import { STOP_WORDS } from './stop-words.js';
import { termsOf } from './terms.js';

/** Maximum number of terms of a query, and of phrases; further ones are ignored. */
const MAX_TERMS = 32;

/** The terms and "quoted phrases" of a query; none if the query is only punctuation. */
export function queryTerms(query: string): LexicalQuery {
  const phrases = [...query.matchAll(/["“”„]([^"“”„]+)["“”„]/gu)]
    .map(([, quoted]) => termsOf(quoted ?? ''))
    .filter((phrase) => phrase.length > 1)
    .slice(0, MAX_TERMS);
  const all = [...new Set(termsOf(query))];
  const distinctive = all.filter((term) => !STOP_WORDS.has(term));
  return { terms: (distinctive.length > 0 ? distinctive : all).slice(0, MAX_TERMS), phrases };
}
