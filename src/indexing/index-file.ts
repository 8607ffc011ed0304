import type { Description } from '../domain/description.js';
import { formats } from '../formats/formats.js';
import type { FileToPut, FileVersion } from '../storage/passage-store.js';
import { embedPending } from './embedding/embed-pending.js';
import { type Embeddings, putEmbedded } from './embedding/put-embedded.js';
import { fromText, fromUpload, type HashedText } from './file-text.js';
import type { Indexing } from './indexing.js';
import { isCurrent, pipelineOf } from './pipeline.js';
import { type Origin, prepareFile } from './prepare-file.js';
import { ProgressMeter } from './progress.js';

/** The result of `indexFile`. */
export interface IndexFileResult {
  /** What happened to the file under that key. */
  readonly outcome: 'added' | 'updated' | 'unchanged';
  /** What the parser could not understand, one sentence each. */
  readonly warnings: readonly string[];
}

/** A text that a caller gives to be indexed. Its tags and metadata override those of its front matter. */
export interface GivenFile extends Description {
  readonly key: string;
  readonly text: string;
  /** Defaults to the content type of the key's extension, then to markdown. */
  readonly contentType?: string | undefined;
}

/**
 * Indexes a text; it can be found when this returns, and nothing has changed if it throws. A text that is indexed
 * already is not parsed again. If another call changes the file meanwhile, this starts again from the new state.
 */
export async function indexFile(file: GivenFile, indexing: Indexing): Promise<IndexFileResult> {
  const { store, embedder, signal } = indexing;
  const { key } = file;
  const { hash, pipeline, prepare } = preparing(file, { ...indexing, text: await fromText(file.text) });
  let prepared: FileToPut | undefined;
  const embeddings: Embeddings = new Map();
  for (;;) {
    const stored = await store.file(key);
    if (!isCurrent(stored, { hash, pipeline })) prepared ??= await prepare();
    // A text that exceeds the limits of its parser once more keeps its passages.
    if (!prepared || isCurrent(stored, prepared)) {
      await embedPending({ store, embedder, meter: new ProgressMeter(undefined), signal, key });
      return { outcome: 'unchanged', warnings: prepared?.warnings ?? [] };
    }
    // The file stays in the folder that it came from.
    const put = { ...prepared, folder: stored?.folder ?? null };
    if (await putEmbedded(put, { expected: stored, embeddings }, indexing)) {
      return { outcome: stored ? 'updated' : 'added', warnings: prepared.warnings };
    }
  }
}

/** The content of a stored file, to be indexed. */
export interface UploadedFile extends Omit<GivenFile, 'text'>, Pick<Origin, 'keepsDescription'> {
  readonly bytes: Uint8Array;
}

/**
 * Indexes an upload. Returns false, and changes nothing, if the file is no longer in the state `expected`. Throws
 * `INVALID_ARGUMENT` if the bytes have no text.
 */
export async function indexUpload(
  { bytes, ...file }: UploadedFile,
  { expected, ...indexing }: Indexing & { expected: FileVersion },
): Promise<boolean> {
  const stored = await indexing.store.file(file.key);
  const text = await fromUpload(bytes, { ...indexing, format: formats.ofText(file) });
  const prepared = await preparing(file, { ...indexing, text }).prepare();
  // The text of an upload is its content, unless it was decoded or extracted.
  const content = text.isContent || text.text === '' ? 'text' : 'former';
  return putEmbedded({ ...prepared, folder: stored?.folder ?? null }, { expected, content }, indexing);
}

function preparing(
  file: Omit<UploadedFile, 'bytes'>,
  { parser, cutting, signal, text }: Indexing & { readonly text: HashedText },
) {
  const pipeline = pipelineOf({ ...file, cutting });
  // Stored without times, so that the next indexFolder reads the file in its folder again.
  const times = { mtime: null, ctime: null, inode: null, indexedAt: Date.now() };
  const prepare = () =>
    prepareFile(text, { ...file, ...times, pipeline, folder: null, format: formats.ofText(file) }, { parser, signal });
  return { hash: text.hash, pipeline, prepare };
}
