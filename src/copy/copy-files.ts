import { hasCode, type WaymarkErrorCode } from '../domain/errors.js';
import { forEachConcurrent } from '../indexing/for-each-concurrent.js';
import type { StagedContent } from '../storage/contents.js';
import type { FileCopies, FileState } from '../storage/copies.js';
import type { FileRecords } from '../storage/file-records.js';
import { digestOf } from './file-digest.js';
import type { Recutter } from './recutter.js';
import { type Route, rebase } from './route.js';

/** The files of one bot in both storages. */
export interface FileRoute {
  readonly botId: string;
  readonly source: FileCopies;
  readonly target: FileCopies;
  readonly route: Route;
  /** Of the source. */
  readonly records: FileRecords;
  /** Opens the recutter, once. */
  readonly recutter: () => Promise<Recutter>;
}

/** How files are copied. */
export interface CopyFilesOptions {
  /** Number of files copied concurrently. */
  readonly concurrency: number;
  /** Whether files that only the target has are removed. */
  readonly isExact: boolean;
  readonly signal: AbortSignal | undefined;
  /** Called before the first file, and after each. */
  readonly onProgress: (progress: {
    readonly done: number;
    readonly total: number;
    readonly unchanged: number;
  }) => void;
}

/** What became of the files of a bot. */
export interface CopiedFiles {
  /** Files that were new in the target, or in another state there. */
  readonly copied: number;
  /** Files that were there already, in the same state. */
  readonly unchanged: number;
  /** Files that only the target had, and that were removed. */
  readonly removed: number;
  /** Files that only the target has. */
  readonly left: number;
  /** Files that could not be copied, and why. */
  readonly failed: readonly { readonly key: string; readonly reason: string }[];
}

/** Errors that concern one file: the other files are still copied. */
const OF_ONE_FILE: readonly WaymarkErrorCode[] = [
  'DATABASE_DAMAGED',
  'DATABASE_CONFLICT',
  'FILE_MISSING',
  'INVALID_ARGUMENT',
  'TEXT_TOO_LONG',
  'EMBEDDING_INVALID',
];

/** Copies the files that the target does not have in the same state. Throws `ABORTED`. */
export async function copyFiles(files: FileRoute, options: CopyFilesOptions): Promise<CopiedFiles> {
  const { source, target, route } = files;
  const { signal } = options;
  const present = new Map<string, { readonly key: string; readonly digest: string }>();
  for await (const state of target.states()) present.set(state.id, { key: state.key, digest: digestOf(state) });
  const wanted: { id: string; key: string }[] = [];
  let unchanged = 0;
  for await (const state of source.states()) {
    if (present.get(state.id)?.digest === digestOf(rebased(state, route))) unchanged += 1;
    else wanted.push({ id: state.id, key: state.key });
    present.delete(state.id);
  }
  // A file of the target whose key a copied file has is replaced, so it is not among the others.
  const taken = new Set(wanted.map(({ key }) => key));
  const others = [...present].filter(([, { key }]) => !taken.has(key)).map(([id]) => id);
  const failed: { key: string; reason: string }[] = [];
  let [done, copied] = [0, 0];
  const report = () => options.onProgress({ done, total: wanted.length, unchanged });
  report();
  await forEachConcurrent(wanted, {
    concurrency: options.concurrency,
    signal,
    async work({ id, key }) {
      const reason = await copyFile(files, id);
      if (reason === undefined) copied += 1;
      else failed.push({ key, reason });
      done += 1;
      report();
    },
  });
  const removed = options.isExact ? await removeFiles(files, { ids: others, signal }) : 0;
  return { copied, unchanged, removed, left: others.length - removed, failed };
}

async function removeFiles(
  { target, records }: FileRoute,
  { ids, signal }: { readonly ids: readonly string[]; readonly signal: AbortSignal | undefined },
): Promise<number> {
  let removed = 0;
  await forEachConcurrent(ids, {
    concurrency: 1,
    signal,
    async work(id) {
      const file = await target.read(id);
      // One node of a cluster has listed the files of the source, and it may have missed some while it was away.
      if (!file || (await records.find(file.state.key))?.id === id) return;
      await target.remove(file.state);
      removed += 1;
    },
  });
  return removed;
}

/** Copies a file, unless it is gone. Returns why it could not be copied; undefined if it was. */
async function copyFile(files: FileRoute, id: string): Promise<string | undefined> {
  const { source, target, route } = files;
  let content: StagedContent | undefined;
  try {
    const file = await source.read(id);
    if (!file) return undefined;
    const state = rebased(file.state, route);
    const { text } = file;
    const cuts = () => source.givenCuts(id);
    const isCut = text !== undefined && state.passages > 0;
    const passages = isCut ? await (await files.recutter()).passages(state, { text, cuts }) : [];
    const embeddings = await source.embeddings(passages.map((passage) => passage.text));
    content = await stageUpload(files, id);
    await target.put({ state, text, passages, embeddings, content });
    return undefined;
  } catch (error) {
    if (content) await route.to.contents.discard(content).catch(() => {});
    if (hasCode(error, ...OF_ONE_FILE)) return error.message;
    throw error;
  }
}

/** Stores the bytes that were uploaded; undefined if the content of a file is its text, or if it has none. */
async function stageUpload({ botId, records, route }: FileRoute, id: string): Promise<StagedContent | undefined> {
  const content = await records.content(id);
  return content && !content.isText ? route.to.contents.stage(content.read(), botId) : undefined;
}

/** The state of a file with its folder as the target has it. */
function rebased(state: FileState, route: Route): FileState {
  return state.folder === null ? state : { ...state, folder: rebase(state.folder, route) };
}
