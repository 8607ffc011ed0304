import { type ShownTextOptions, validateHighlight } from '../../contract/search.js';
import type { Abortable } from '../../domain/abortable.js';
import type { Embedder } from '../../embed/embedder.js';
import { formats } from '../../formats/formats.js';
import { plainlyVisible } from '../../formats/plain/visible-plain-text.js';
import { beginningOf } from './beginning.js';
import { sentencesOf } from './sentences.js';

/** A range of a text. It begins and ends with a character that a reader sees; markup may be inside. */
export interface Highlight {
  /** UTF-16 offset of the first code unit. */
  readonly start: number;
  /** UTF-16 offset after the last code unit. */
  readonly end: number;
}

/** Maximum number of sentences compared; later ones are rarely shown. */
const MAX_SENTENCES = 32;

/** Maximum number of characters embedded per sentence. */
const MAX_CHARACTERS = 500;

/**
 * The sentence, as a reader sees it, that is nearest to a query; undefined if the text has no sentence. Throws
 * `INVALID_ARGUMENT`, `ABORTED`.
 */
export async function bestSentence(
  request: { readonly query: string; readonly text: string },
  { options, embedder, signal }: Abortable & { readonly options: ShownTextOptions; readonly embedder: Embedder },
): Promise<Highlight | undefined> {
  const { query, text, contentType } = validateHighlight(request, options);
  const beginning = beginningOf(text);
  const see = await formats.seeing(contentType);
  const visible = see?.(beginning) ?? plainlyVisible(beginning);
  const candidates = sentencesOf(visible, { limit: MAX_SENTENCES });
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
