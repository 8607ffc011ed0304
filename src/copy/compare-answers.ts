import { assertNotAborted } from '../domain/abortable.js';
import type { Passage } from '../domain/passage.js';
import type { SimilarityScale } from '../domain/similarity-scale.js';
import { type HitInContext, search } from '../search/search.js';
import type { PassageStore } from '../storage/passage-store.js';

/** A file that both storages search. */
export interface ComparedFile {
  readonly id: string;
  readonly key: string;
  readonly passages: number;
}

/** How alike the answers of two storages are. */
export interface AnswerComparison {
  /** Questions that were asked. */
  readonly questions: number;
  /** The mean share of the first ten passages that both have, 0 to 1. */
  readonly overlap: number;
  /** The greatest difference between the scores that a passage has in both. */
  readonly difference: number;
}

/** How to compare. */
export interface CompareOptions {
  readonly files: readonly ComparedFile[];
  readonly scale: SimilarityScale;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
}

/** Maximum number of questions. */
const QUESTIONS = 50;

/** Passages of an answer that are compared. */
const COMPARED = 10;

/** Words of a passage that make up a question. */
const WORDS = 12;

/** A prime, so that questions come from passages all over the files. */
const STEP = 7919;

/** A question to both storages. */
interface Question {
  readonly text: string;
  readonly embedding: Float32Array | undefined;
}

/**
 * Asks both storages the same questions, and ranks what they find in the same way. A question is a heading or the first
 * words of a passage, with the stored embedding of that passage: no model is needed. The same files have the same
 * questions. Throws `ABORTED`.
 */
export async function compareAnswers(
  { from, to }: { readonly from: PassageStore; readonly to: PassageStore },
  { files, scale, signal, onProgress }: CompareOptions,
): Promise<AnswerComparison> {
  const places = placesIn(files);
  let [asked, overlap, difference] = [0, 0, 0];
  for (const [i, { file, position }] of places.entries()) {
    onProgress({ done: i, total: places.length });
    assertNotAborted(signal, 'Stopped before the answers were compared: copy again.');
    const [passage] = await from.passages(file.id, { from: position, to: position });
    if (!passage) continue;
    const embedding = (await from.embeddingOf(passage.id))?.embedding;
    const question = { text: textOf(passage, { isHeading: i % 2 === 0 }), embedding };
    const [a, b] = [await ask(from, question, scale), await ask(to, question, scale)];
    const scores = new Map(b.map((hit) => [hit.passage.id, hit.score]));
    const shared = a.filter((hit) => scores.has(hit.passage.id));
    asked += 1;
    overlap += a.length + b.length === 0 ? 1 : shared.length / Math.max(a.length, b.length);
    for (const hit of shared) {
      difference = Math.max(difference, Math.abs(hit.score - (scores.get(hit.passage.id) ?? 0)));
    }
  }
  onProgress({ done: places.length, total: places.length });
  return { questions: asked, overlap: asked === 0 ? 1 : overlap / asked, difference };
}

/** Passages from all over the files, the same each time. */
function placesIn(files: readonly ComparedFile[]): { file: ComparedFile; position: number }[] {
  const sorted = files.filter(({ passages }) => passages > 0).sort((a, b) => (a.key < b.key ? -1 : 1));
  const found = new Map<string, { file: ComparedFile; position: number }>();
  for (let i = 0; i < QUESTIONS && sorted.length > 0; i++) {
    const file = sorted[Math.floor((i * sorted.length) / QUESTIONS)] as ComparedFile;
    const position = (i * STEP) % file.passages;
    found.set(`${file.id} ${position}`, { file, position });
  }
  return [...found.values()];
}

/** The heading above a passage, or its first words. */
function textOf({ content, breadcrumb }: Passage, { isHeading }: { readonly isHeading: boolean }): string {
  const heading = isHeading ? breadcrumb.at(-1) : undefined;
  return heading ?? content.split(/\s+/).filter(Boolean).slice(0, WORDS).join(' ');
}

function ask(store: PassageStore, { text, embedding }: Question, scale: SimilarityScale): Promise<HitInContext[]> {
  return search(text, {
    store,
    embedder: { embedQuery: async () => embedding ?? new Float32Array() },
    scale: async () => scale,
    mode: embedding ? 'hybrid' : 'lexical',
    limit: COMPARED,
  });
}
