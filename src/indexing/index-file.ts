import { formats } from '../formats/formats.js';
import { embedPending } from './embed-pending.js';
import { fromText } from './file-text.js';
import type { Indexing } from './indexing.js';
import { type Given, isCurrent, pipelineOf } from './pipeline.js';
import { prepareFile } from './prepare-file.js';
import { ProgressMeter } from './progress.js';

/** The result of `indexFile`. */
export interface IndexFileResult {
  /** What happened to the file under that key. */
  readonly outcome: 'added' | 'updated' | 'unchanged';
  /** What the parser could not understand, one sentence each. */
  readonly warnings: readonly string[];
}

/** A text that a caller gives to be indexed. */
export interface GivenFile extends Given {
  readonly key: string;
  readonly text: string;
  /** Defaults to the content type of the key's ending, then to markdown. */
  readonly contentType?: string | undefined;
}

/** Indexes a text; it can be found when this returns. A text that is indexed already is not parsed again. */
export async function indexFile(
  file: GivenFile,
  { store, embedder, parser, cutting }: Indexing,
): Promise<IndexFileResult> {
  const given = fromText(file.text);
  const pipeline = pipelineOf({ ...file, cutting });
  const stored = await store.file(file.key);
  let unchanged = isCurrent(stored, { hash: given.hash, pipeline });
  let warnings: readonly string[] = [];
  if (!unchanged) {
    // A folder keeps its file. Without a modification time, the next indexFolder reads the file again.
    const origin = { ...file, pipeline, folder: stored?.folder ?? null, mtime: null, indexedAt: Date.now() };
    const prepared = await prepareFile(given, { ...origin, format: formats.ofText(file) }, parser);
    // A text that is too much for its parser again keeps its passages.
    unchanged = isCurrent(stored, prepared);
    if (!unchanged) await store.put(prepared);
    ({ warnings } = prepared);
  }
  await embedPending({ store, embedder, meter: new ProgressMeter(undefined), signal: undefined, key: file.key });
  if (unchanged) return { outcome: 'unchanged', warnings };
  return { outcome: stored ? 'updated' : 'added', warnings };
}
