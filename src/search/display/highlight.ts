import { type HighlightOptions, validateHighlight } from '../../contract/engine/display.js';
import type { Abortable } from '../../domain/abortable.js';
import type { Embedder } from '../../embed/embedder.js';
import { formats } from '../../formats/formats.js';
import { plainlyVisible } from '../../formats/plain/visible-plain-text.js';
import { queryTerms } from '../../text/query-terms.js';
import { termsOf } from '../../text/terms.js';
import { beginningOf } from './beginning.js';
import { type Sentence, sentencesOf } from './sentences.js';

/** A range of a text. It begins and ends with a character that a reader sees; markup may be inside. */
export interface Highlight {
  /** UTF-16 offset of the first code unit. */
  readonly start: number;
  /** UTF-16 offset after the last code unit. */
  readonly end: number;
}

/** Maximum number of sentences of a text that are embedded. */
export const MAX_SENTENCES = 32;

/** Maximum number of sentences that the embedded ones are chosen from. */
const MAX_CANDIDATES = 200;

/** Maximum number of characters embedded per sentence. */
const MAX_CHARACTERS = 500;

/** How `bestSentence` chooses the sentence. */
interface BestSentenceOptions extends Abortable {
  readonly options: HighlightOptions;
  readonly embedder: Embedder;
  /** Maximum number of embedded sentences. Defaults to `MAX_SENTENCES`. */
  readonly maxSentences?: number;
}

/**
 * The sentence, as a reader sees it, that is nearest to a query; undefined if the text has no sentence. If there are
 * more than `maxSentences`, those with the most words of the query are compared. Throws `INVALID_ARGUMENT`, `ABORTED`.
 */
export async function bestSentence(
  request: { readonly query: string; readonly text: string },
  { options, embedder, signal, maxSentences = MAX_SENTENCES }: BestSentenceOptions,
): Promise<Highlight | undefined> {
  const { query, text, contentType, isShown } = validateHighlight(request, options);
  const beginning = beginningOf(text);
  const see = await formats.seeing(contentType, { isShown: isShown === true });
  const visible = see?.(beginning) ?? plainlyVisible(beginning);
  const candidates = likeliest(sentencesOf(visible, { limit: MAX_CANDIDATES }), { query, limit: maxSentences });
  const [first] = candidates;
  if (candidates.length < 2) return first && { start: first.start, end: first.end };
  const texts = candidates.map((sentence) => sentence.text.slice(0, MAX_CHARACTERS).toWellFormed());
  const [wanted, embeddings] = await Promise.all([
    embedder.embedQuery(query, { signal }),
    embedder.embedPassages(texts, { signal }),
  ]);
  const scores = embeddings.map((embedding) =>
    embedding.reduce((sum, element, i) => sum + element * (wanted[i] ?? 0), 0),
  );
  const best = candidates[scores.indexOf(Math.max(...scores))];
  return best && { start: best.start, end: best.end };
}

/** The `limit` sentences with the most words of a query, in document order; of equal ones, the first. */
function likeliest(
  sentences: readonly Sentence[],
  { query, limit }: { readonly query: string; readonly limit: number },
): readonly Sentence[] {
  if (sentences.length <= limit) return sentences;
  const wanted = new Set(queryTerms(query).terms);
  const counts = sentences.map(({ text }) => new Set(termsOf(text).filter((term) => wanted.has(term))).size);
  const order = [...counts.keys()].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
  const kept = new Set(order.slice(0, limit));
  return sentences.filter((_, i) => kept.has(i));
}
