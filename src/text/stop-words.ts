/**
 * English words that do not distinguish passages: articles, pronouns, question words, the most common prepositions. The
 * list is short on purpose: words such as `only`, `after`, `without` and `same` carry the meaning of a question
 * (docs/decisions/024). Apostrophes are removed, as in terms.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be but by for he her hers him his how i id if ill im in into is it its itself ive me mine
   my myself no not of on or our ours she such that thats the their theirs them then there these they theyre
   this those to us was we what whats when where which who whom whose why will with you your youre yours`.split(/\s+/),
);
