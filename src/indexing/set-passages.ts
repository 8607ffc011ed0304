import { WaymarkError } from '../domain/errors.js';
import type { Subtype } from '../domain/passage.js';
import type { PassageToPut } from '../storage/passage-store.js';
import { embedPending } from './embed-pending.js';
import { fromText } from './file-text.js';
import type { Indexing } from './indexing.js';
import { GAP, type MeasuredPassage } from './parsing/measured-passage.js';
import { GIVEN, type Given } from './pipeline.js';
import { ProgressMeter } from './progress.js';

/** A passage that a caller cut. */
export interface GivenPassage {
  readonly content: string;
  readonly subtype: Subtype;
  /** Page of the original document, from 1. */
  readonly page: number | undefined;
}

/** All passages of a file, in document order. */
export interface GivenPassages extends Given {
  readonly key: string;
  readonly contentType: string;
  readonly passages: readonly GivenPassage[];
}

/** Replaces a file's passages with those that a caller cut. Throws `INVALID_ARGUMENT` if one is too long. */
export async function setPassages(file: GivenPassages, { store, embedder, parser }: Indexing): Promise<void> {
  const { key, contentType, tags, metadata } = file;
  const { maxTokens } = embedder.card;
  const passages = await positioned(file.passages, {
    embedder,
    parser,
    refusal: ({ number, tokens }) =>
      new WaymarkError(
        'INVALID_ARGUMENT',
        `passages must have at most ${maxTokens} tokens each; number ${number} has ${tokens}: split it.`,
      ),
  });
  const text = fromText(file.passages.map(({ content }) => content).join(GAP));
  const stored = await store.file(key);
  await store.put({
    ...text,
    key,
    contentType,
    tags,
    metadata,
    folder: stored?.folder ?? null,
    mtime: null,
    indexedAt: Date.now(),
    pipeline: GIVEN,
    title: undefined,
    warnings: [],
    passages,
  });
  await embedPending({ store, embedder, meter: new ProgressMeter(undefined), signal: undefined, key });
}

/**
 * Passages that are ready to be stored, with their positions in the joined text. Throws what `refusal` returns for the
 * first with more tokens than the model reads; `number` counts from 1.
 */
export async function positioned(
  passages: readonly GivenPassage[],
  {
    embedder,
    parser,
    refusal,
  }: Pick<Indexing, 'embedder' | 'parser'> & {
    readonly refusal: (passage: { readonly number: number; readonly tokens: number }) => WaymarkError;
  },
): Promise<PassageToPut[]> {
  const measured = await parser.measure(passages.map(({ content }) => content));
  let [start, startLine] = [0, 1];
  return passages.map(({ content, subtype, page }, position) => {
    const { tokens, terms, height, step } = measured[position] as MeasuredPassage;
    if (tokens > embedder.card.maxTokens) throw refusal({ number: position + 1, tokens });
    const passage = {
      position,
      start,
      end: start + content.length,
      startLine,
      endLine: startLine + height,
      breadcrumb: [],
      subtype,
      page,
      text: content,
      length: content.length,
      postings: { breadcrumb: '', text: terms },
    };
    start += content.length + GAP.length;
    startLine += step;
    return passage;
  });
}
