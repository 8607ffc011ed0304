import { expect, it } from 'vitest';
import { rankDocuments } from '../../bench/ranking/documents.js';

function passage(file: string, score: number) {
  return { id: `${file} ${score}`, file, score, startLine: 1, endLine: 1 };
}

it('ranks documents by their best passage, each once', () => {
  const passages = [passage('b', 0.9), passage('a', 0.8), passage('b', 0.7), passage('c', 0.6)];
  const idOf = (file: string) => file.toUpperCase();
  expect(rankDocuments(passages, { idOf, limit: 2 })).toEqual([
    { id: 'B', score: 0.9 },
    { id: 'A', score: 0.8 },
  ]);
  expect(rankDocuments(passages, { idOf, limit: 9 }).map(({ id }) => id)).toEqual(['B', 'A', 'C']);
});
