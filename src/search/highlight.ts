import type { Embedder } from '../embed/embedder.js';

/** Maximum number of sentences compared; later ones are rarely shown. */
const MAX_SENTENCES = 32;

/** Minimum number of words in a sentence worth highlighting. */
const MIN_WORDS = 3;

/** Maximum number of characters embedded per sentence. */
const MAX_CHARACTERS = 500;

/** Characters whose sentences are compared: Intl.Segmenter takes quadratic memory, 4 GB for 100,000 characters. */
const MAX_TEXT = 4_000;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentence of a text that is nearest to a query, in UTF-16 offsets; undefined if the text has no sentence. */
export async function bestSentence(
  query: string,
  { text, embedder }: { text: string; embedder: Embedder },
): Promise<{ start: number; end: number } | undefined> {
  const candidates = sentencesOf(text.slice(0, MAX_TEXT).toWellFormed()).slice(0, MAX_SENTENCES);
  if (candidates.length < 2) return candidates[0];
  const readable = candidates.map(({ start, end }) => text.slice(start, end).slice(0, MAX_CHARACTERS));
  const [wanted, embeddings] = await Promise.all([embedder.embedQuery(query), embedder.embedPassages(readable)]);
  const scores = embeddings.map((embedding) =>
    embedding.reduce((sum, element, i) => sum + element * (wanted[i] ?? 0), 0),
  );
  return candidates[scores.indexOf(Math.max(...scores))];
}

/**
 * Sentences, and lines of at least `MIN_WORDS` words. A line break inside a paragraph does not end a sentence. One
 * before a list marker or another mark does, and so does one after the end of a line of code. Fences are left out.
 */
function sentencesOf(text: string): { start: number; end: number }[] {
  const joined = text
    .replace(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, (fence) => '\n'.repeat(fence.length))
    .replace(/\r?\n(?=["'(`*_[]{0,3}[\p{L}\p{N}])(?!\d+[.)])(?<![;{}]\s*)/gu, (ending) => ' '.repeat(ending.length));
  return [...sentences.segment(joined)]
    .map(({ index, segment }) => {
      const start = index + segment.length - segment.trimStart().length;
      return { start, end: index + segment.trimEnd().length };
    })
    .filter(({ start, end }) => (text.slice(start, end).match(/[\p{L}\p{N}]+/gu) ?? []).length >= MIN_WORDS);
}
