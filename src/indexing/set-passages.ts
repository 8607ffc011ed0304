import { type Abortable, unlessAborted } from '../domain/abortable.js';
import type { Description } from '../domain/description.js';
import { WaymarkError } from '../domain/errors.js';
import type { Subtype } from '../domain/passage.js';
import type { StagedContent, UsedAddress } from '../storage/contents.js';
import type { FileAccess } from '../storage/file-access.js';
import type { FileVersion, PassageToPut } from '../storage/passage-store.js';
import type { GivenCut } from '../storage/staged-files.js';
import { putEmbedded } from './embedding/put-embedded.js';
import { fromText } from './file-text.js';
import type { Indexing } from './indexing.js';
import { type MeasuredPassage, SEPARATOR } from './parsing/measured-passage.js';
import { GIVEN } from './pipeline.js';

/** A passage that a caller cut. */
export interface GivenPassage {
  readonly content: string;
  readonly subtype: Subtype;
  /** Page of the original document, from 1. */
  readonly page?: number | undefined;
}

/** The passages that a caller has cut from a text. */
export function givenPassages(text: string, cuts: readonly GivenCut[]): GivenPassage[] {
  return cuts.map(({ start, end, subtype, page }) => ({
    content: text.slice(start, end),
    subtype,
    page: page ?? undefined,
  }));
}

/** All passages of a file, in document order. */
export interface GivenPassages extends Description {
  readonly key: string;
  readonly contentType: string;
  readonly passages: readonly GivenPassage[];
  /** Bytes of the original document. Defaults to those of the passages. */
  readonly size?: number | undefined;
}

/** How the passages of a file are replaced. */
export interface SetPassagesOptions {
  /** The state that the file must be in. Defaults to any. */
  readonly expected?: FileVersion | undefined;
  /** Whether no file may have the key yet. Defaults to false. */
  readonly isNew?: boolean | undefined;
  /** A staged content that becomes that of the file. */
  readonly content?: StagedContent | undefined;
  /** Whether the file is to be searched. Defaults to true, even without passages. */
  readonly isSearched?: boolean | undefined;
  /** The address that the content was sent to: it is closed. `UPLOAD_MISSING` is thrown if it accepts no upload. */
  readonly address?: UsedAddress | undefined;
  /** Why the content of the file could not be indexed. */
  readonly failure?: string | undefined;
  /** Who may read the file from now on, and when it expires. Defaults to what holds already. */
  readonly access?: FileAccess | undefined;
}

/**
 * Replaces a file's passages with those that a caller cut. Returns false, and changes nothing, if the file is not in
 * the state `expected`, or if it exists but must be `isNew`. Throws `INVALID_ARGUMENT` if a passage is too long;
 * nothing has changed then.
 */
export async function setPassages(
  file: GivenPassages,
  {
    expected,
    isNew = false,
    content,
    isSearched,
    address,
    failure,
    access,
    ...indexing
  }: SetPassagesOptions & Indexing,
): Promise<boolean> {
  const { store, embedder } = indexing;
  const { maxTokens } = embedder.card;
  const passages = await positioned(file.passages, {
    ...indexing,
    refusal: ({ number, tokens }) =>
      new WaymarkError(
        'INVALID_ARGUMENT',
        `passages must have at most ${maxTokens} tokens each; number ${number} has ${tokens}: split it.`,
      ),
  });
  const given = { ...(await givenFile(file)), passages };
  for (;;) {
    const stored = await store.file(file.key);
    const put = { ...given, folder: stored?.folder ?? null };
    const state = isNew ? undefined : (expected ?? stored);
    const options = { expected: state, content: content ?? 'former', isSearched, address, failure, access } as const;
    if (await putEmbedded(put, options, indexing)) return true;
    if (expected || isNew) return false;
  }
}

async function givenFile({ key, contentType, tags, metadata, passages, size }: GivenPassages) {
  const text = await fromText(passages.map(({ content }) => content).join(SEPARATOR));
  return {
    ...text,
    size: size ?? text.size,
    key,
    contentType,
    tags,
    metadata,
    mtime: null,
    ctime: null,
    inode: null,
    indexedAt: Date.now(),
    pipeline: GIVEN,
    title: undefined,
    warnings: [],
  };
}

/**
 * Passages that are ready to be stored, with their positions in the joined text. Throws what `refusal` returns for the
 * first with more tokens than the model reads, where `number` counts from 1; and `ABORTED`.
 */
export async function positioned(
  passages: readonly GivenPassage[],
  {
    embedder,
    parser,
    signal,
    refusal,
  }: Pick<Indexing, 'embedder' | 'parser'> &
    Abortable & {
      readonly refusal: (passage: { readonly number: number; readonly tokens: number }) => WaymarkError;
    },
): Promise<PassageToPut[]> {
  const measured = await unlessAborted(() => parser.measure(passages.map(({ content }) => content)), signal);
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
    start += content.length + SEPARATOR.length;
    startLine += step;
    return passage;
  });
}
