import type { Embedder } from '../embed/embedder.js';

/** Sentences that are compared at most: those beyond are rarely shown. */
const MOST = 32;

/** Shortest sentence worth bringing out, in words. */
const WORDS = 3;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentence of a text that is nearest to a query, as UTF-16 offsets; undefined for a text without a sentence. */
export async function bestSentence(
  query: string,
  { text, embedder }: { text: string; embedder: Embedder },
): Promise<{ start: number; end: number } | undefined> {
  const candidates = sentencesOf(text).slice(0, MOST);
  if (candidates.length < 2) return candidates[0];
  const readable = candidates.map(({ start, end }) => text.slice(start, end).slice(0, 500));
  const [wanted, embeddings] = await Promise.all([embedder.embedQuery(query), embedder.embedPassages(readable)]);
  const scores = embeddings.map((embedding) =>
    embedding.reduce((sum, element, i) => sum + element * (wanted[i] ?? 0), 0),
  );
  return candidates[scores.indexOf(Math.max(...scores))];
}

/**
 * Sentences and lines with some words in them. A line break inside a paragraph ends none; one before a mark does, and
 * one behind what ends a line of code. Fences themselves are blank.
 */
function sentencesOf(text: string): { start: number; end: number }[] {
  const joined = text
    .replace(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, (fence) => '\n'.repeat(fence.length))
    .replace(/(?<![;{}]\s*)\r?\n(?=["'(`*_[]{0,3}[\p{L}\p{N}])(?!\d+[.)])/gu, (ending) => ' '.repeat(ending.length));
  return [...sentences.segment(joined)]
    .map(({ index, segment }) => {
      const start = index + segment.length - segment.trimStart().length;
      return { start, end: index + segment.trimEnd().length };
    })
    .filter(({ start, end }) => (text.slice(start, end).match(/[\p{L}\p{N}]+/gu) ?? []).length >= WORDS);
}
