import { WaymarkError } from '../domain/errors.js';
import type { Metadata, Subtype, Tags } from '../domain/passage.js';
import type { PassageToPut } from '../storage/passage-store.js';
import { termsOf } from '../text/terms.js';
import { embedPending } from './embed-pending.js';
import type { Indexing } from './index-folder.js';
import { ProgressMeter } from './progress.js';
import { asRead } from './read-file.js';

export interface GivenPassage {
  readonly content: string;
  readonly subtype: Subtype;
  readonly page: number | undefined;
}

export interface GivenPassages {
  readonly key: string;
  readonly contentType: string;
  readonly tags: Tags;
  readonly metadata: Metadata;
  /** In document order. */
  readonly passages: readonly GivenPassage[];
}

/** The pipeline of files whose passages a caller cut: there is no other way to cut them. */
export const GIVEN = 'passages of a caller';

/** Between two passages in the text that they make up. */
const GAP = '\n\n';

/** Puts passages that a caller cut in place of a file's own. Throws `INVALID_ARGUMENT` for one that is too long. */
export async function setPassages(file: GivenPassages, { store, embedder }: Indexing): Promise<void> {
  const { key, contentType, tags, metadata } = file;
  for (const [i, { content }] of file.passages.entries()) {
    const tokens = await embedder.countTokens(content);
    if (tokens <= embedder.card.maxTokens) continue;
    throw new WaymarkError(
      'INVALID_ARGUMENT',
      `passages must be of at most ${embedder.card.maxTokens} tokens each; number ${i + 1} has ${tokens}: cut it.`,
    );
  }
  const read = asRead(file.passages.map(({ content }) => content).join(GAP));
  const stored = await store.file(key);
  await store.put({
    ...read,
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

/** Passages as they are put, where they stand in the text that they make up. */
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
