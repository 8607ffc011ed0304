import type { Mode } from '../contract/search-files.js';
import type { Embedder, SimilarityScale } from '../embed/embedder.js';
import type { Matching, PassageStore, TagFilter } from '../storage/passage-store.js';
import { queryTerms } from '../text/query-terms.js';
import type { Background, Evidence } from './fuse.js';

/** A passage that one of the sides found, with what both know of it. */
export interface Candidate extends Evidence {
  readonly number: number;
  /** Place among the candidates of a side, from 1; undefined where that side did not find it. */
  readonly denseRank: number | undefined;
  readonly lexicalRank: number | undefined;
}

/** Candidates of each side, for whatever limit up to that: so the first n of a longer answer are the shorter answer. */
const POOL = 500;

type Draft = { -readonly [Name in keyof Candidate]: Candidate[Name] };

const NO_WORDS: Matching = { ceiling: 0, neighbours: [] };

export interface CandidateOptions {
  readonly store: PassageStore;
  readonly embedder: Pick<Embedder, 'embedQuery'>;
  readonly scale: () => Promise<SimilarityScale>;
  readonly mode: Mode;
  readonly tags?: TagFilter | undefined;
  readonly limit: number;
}

/** The best passages of each side that the mode asks for; a candidate of one side gets its exact score from the other. */
export async function candidatesOf(
  query: string,
  { store, embedder, scale, mode, tags, limit }: CandidateOptions,
): Promise<{ candidates: Candidate[]; background: Background }> {
  const pool = { limit: Math.max(POOL, limit), ...(tags && { tags }) };
  const terms = queryTerms(query);
  // Another process embeds the query: this one looks for its terms meanwhile, and after opening reads the embeddings.
  const [embedding, { ceiling, neighbours: matching }] = await Promise.all([
    mode === 'lexical' ? undefined : embedder.embedQuery(query),
    mode === 'dense' ? NO_WORDS : store.matching(terms, pool),
    mode === 'lexical' ? undefined : store.ready(),
  ]);
  const near = embedding ? await store.nearest(embedding, pool) : [];
  const drafts = new Map<number, Draft>();
  const draftOf = (number: number): Draft => {
    const draft = drafts.get(number) ?? blank(number);
    drafts.set(number, draft);
    return draft;
  };
  for (const [i, { id, score }] of matching.entries()) {
    const draft = draftOf(id);
    draft.bm25 = score;
    draft.lexicalRank = i + 1;
  }
  for (const [i, { id, score }] of near.entries()) {
    const draft = draftOf(id);
    draft.cosine = score;
    draft.denseRank = i + 1;
  }
  const candidates = [...drafts.values()];
  if (embedding) {
    const unknown = candidates.filter(({ denseRank }) => denseRank === undefined);
    const cosines = unknown.length > 0 ? await store.similarities(embedding, numbersOf(unknown)) : [];
    for (const [i, draft] of unknown.entries()) draft.cosine = cosines[i] ?? Number.NaN;
  }
  if (mode === 'hybrid') {
    const unknown = candidates.filter(({ lexicalRank }) => lexicalRank === undefined);
    const scores = await store.matchScores(terms, numbersOf(unknown));
    for (const [i, draft] of unknown.entries()) draft.bm25 = scores[i] ?? 0;
    const { lengths, subtypes } = await store.shapes(numbersOf(candidates));
    for (const [i, draft] of candidates.entries()) {
      draft.length = lengths[i] ?? 0;
      draft.subtype = subtypes[i] ?? 'paragraph';
    }
  }
  const background = {
    ceiling,
    scale: embedding && (await scale()),
    similarity: embedding ? await store.meanSimilarity(embedding) : { mean: 0, count: 0 },
  };
  return { candidates, background };
}

/** What a candidate is taken for until more is known of it. */
function blank(number: number): Draft {
  return {
    number,
    denseRank: undefined,
    lexicalRank: undefined,
    cosine: Number.NaN,
    bm25: 0,
    length: 0,
    subtype: 'paragraph',
  };
}

function numbersOf(candidates: readonly Candidate[]): number[] {
  return candidates.map(({ number }) => number);
}
