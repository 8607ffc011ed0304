import { WaymarkError } from '../domain/errors.js';
import type { Subtype } from '../domain/passage.js';
import type { PassageToPut } from '../storage/passage-store.js';
import { termsOf } from '../text/terms.js';
import { embedPending } from './embed-pending.js';
import { fromText } from './file-text.js';
import type { Indexing } from './indexing.js';
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

/** Separates two passages in the joined text. */
const GAP = '\n\n';

/** Replaces a file's passages with those that a caller cut. Throws `INVALID_ARGUMENT` if one is too long. */
export async function setPassages(file: GivenPassages, { store, embedder }: Indexing): Promise<void> {
  const { key, contentType, tags, metadata } = file;
  const { maxTokens, passagePrefix } = embedder.card;
  for (const [i, { content }] of file.passages.entries()) {
    const tokens = await embedder.countTokens(passagePrefix + content);
    if (tokens <= maxTokens) continue;
    throw new WaymarkError(
      'INVALID_ARGUMENT',
      `passages must have at most ${maxTokens} tokens each; number ${i + 1} has ${tokens}: split it.`,
    );
  }
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
    passages: positioned(file.passages),
  });
  await embedPending({ store, embedder, meter: new ProgressMeter(undefined), signal: undefined, key });
}

/** Passages that are ready to be stored, with their positions in the joined text. */
export function positioned(passages: readonly GivenPassage[]): PassageToPut[] {
  let [start, line] = [0, 1];
  return passages.map(({ content, subtype, page }, position) => {
    const end = start + content.length;
    const endLine = line + (content.match(/\r\n|\n|\r/g)?.length ?? 0);
    const passage = {
      position,
      start,
      end,
      startLine: line,
      endLine,
      breadcrumb: [],
      subtype,
      page,
      text: content,
      length: content.length,
      postings: { breadcrumb: '', text: termsOf(content).join(' ') },
    };
    start = end + GAP.length;
    line = endLine + 2;
    return passage;
  });
}
