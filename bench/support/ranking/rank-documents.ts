import type { RankedPassage } from 'waymark/evaluation';

export interface RankedDocument {
  readonly id: string;
  readonly score: number;
}

/** Documents by their best passage; passages come best first. */
export function rankDocuments(
  passages: readonly RankedPassage[],
  { idOf, limit }: { readonly idOf: (file: string) => string; readonly limit: number },
): RankedDocument[] {
  const scores = new Map<string, number>();
  for (const { file, score } of passages) {
    const id = idOf(file);
    if (!scores.has(id)) scores.set(id, score);
    if (scores.size === limit) break;
  }
  return [...scores].map(([id, score]) => ({ id, score }));
}
