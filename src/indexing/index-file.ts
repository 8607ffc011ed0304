import type { Metadata, Tags } from '../domain/passage.js';
import { embedPending } from './embed-pending.js';
import type { Indexing } from './index-folder.js';
import { contentTypeOf, isCurrent, pipelineOf, prepareFile } from './prepare-file.js';
import { ProgressMeter } from './progress.js';
import { asRead } from './read-file.js';

export interface IndexFileResult {
  readonly outcome: 'added' | 'updated' | 'unchanged';
  /** What could not be understood, a sentence each. */
  readonly warnings: readonly string[];
}

export interface GivenFile {
  readonly key: string;
  readonly text: string;
  readonly tags: Tags;
  readonly metadata: Metadata;
  readonly contentType?: string | undefined;
}

/** Indexes a text that was given, so that it is found when this returns. One that is indexed already is left alone. */
export async function indexFile(
  file: GivenFile,
  { store, embedder, parser, cutting }: Indexing,
): Promise<IndexFileResult> {
  const read = asRead(file.text);
  const pipeline = pipelineOf({ ...file, cutting });
  const stored = await store.file(file.key);
  let warnings: readonly string[] = [];
  if (!isCurrent(stored, { hash: read.hash, pipeline })) {
    const contentType = file.contentType ?? contentTypeOf(file.key);
    // A folder's file stays the folder's: without its time the next indexFolder reads it again.
    const origin = {
      ...file,
      pipeline,
      contentType,
      folder: stored?.folder ?? null,
      mtime: null,
      indexedAt: Date.now(),
    };
    const prepared = await prepareFile(read, origin, parser);
    await store.put(prepared);
    ({ warnings } = prepared);
  }
  await embedPending({ store, embedder, meter: new ProgressMeter(undefined), signal: undefined, key: file.key });
  if (isCurrent(stored, { hash: read.hash, pipeline })) return { outcome: 'unchanged', warnings };
  return { outcome: stored ? 'updated' : 'added', warnings };
}
