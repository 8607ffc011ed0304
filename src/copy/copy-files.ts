import { hasCode, type WaymarkErrorCode } from '../domain/errors.js';
import { forEachConcurrent } from '../indexing/for-each-concurrent.js';
import type { FileCopies, FileState, FileToCopy } from '../storage/copies.js';
import type { FileRecords } from '../storage/file-records.js';
import type { FileVersion } from '../storage/passage-store.js';
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
  'INVALID_ARGUMENT',
  'TEXT_TOO_LONG',
  'EMBEDDING_INVALID',
  'PARSER_FAILED',
];

/** How often a file is read that is replaced while it is read. */
const ATTEMPTS = 5;

/** Copies the files that the target does not have in the same state. Throws `ABORTED`. */
export async function copyFiles(files: FileRoute, options: CopyFilesOptions): Promise<CopiedFiles> {
  const { source, target, route } = files;
  const { signal } = options;
  const present = new Map<string, FileVersion & { readonly key: string; readonly digest: string | undefined }>();
  for await (const file of target.states()) {
    const { id, key, version } = file;
    present.set(id, { id, key, version, digest: 'isDamaged' in file ? undefined : digestOf(file) });
  }
  const wanted: { id: string; key: string }[] = [];
  let unchanged = 0;
  for await (const file of source.states()) {
    const { id, key } = file;
    // One that is damaged in the source fails when it is read; one that is damaged in the target is replaced.
    if (!('isDamaged' in file) && present.get(id)?.digest === digestOf(rebased(file, route))) unchanged += 1;
    else wanted.push({ id, key });
    present.delete(id);
  }
  // A file of the target whose key a copied file has is replaced, so it is not among the others.
  const taken = new Set(wanted.map(({ key }) => key));
  const others = [...present.values()].filter(({ key }) => !taken.has(key));
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
  const removed = options.isExact ? await removeFiles(files, { others, signal }) : 0;
  return { copied, unchanged, removed, left: others.length - removed, failed };
}

async function removeFiles(
  { target, records }: FileRoute,
  {
    others,
    signal,
  }: {
    readonly others: readonly (FileVersion & { readonly key: string })[];
    readonly signal: AbortSignal | undefined;
  },
): Promise<number> {
  let removed = 0;
  await forEachConcurrent(others, {
    concurrency: 1,
    signal,
    async work(file) {
      // One node of a cluster has listed the files of the source, and it may have missed some while it was away.
      if ((await records.withKey(file.key))?.id === file.id) return;
      if (await target.remove(file)) removed += 1;
    },
  });
  return removed;
}

/** Copies a file, unless it is gone. Returns why it could not be copied; undefined if it was. */
async function copyFile(files: FileRoute, id: string): Promise<string | undefined> {
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        const file = await files.source.read(id);
        if (file) await putFile(files, file);
        return undefined;
      } catch (error) {
        if (!hasCode(error, 'FILE_MISSING')) throw error;
      }
    }
    return `It was replaced during each of ${ATTEMPTS} attempts to read it: copy again.`;
  } catch (error) {
    if (hasCode(error, ...OF_ONE_FILE)) return error.message;
    throw error;
  }
}

/** Stores a file in the target. Throws `FILE_MISSING` if it is replaced before it is read. */
async function putFile({ botId, source, target, route, recutter }: FileRoute, file: FileToCopy): Promise<void> {
  const state = rebased(file.state, route);
  const { text, cuts } = file;
  const isCut = text !== undefined && state.passages > 0;
  const passages = isCut ? await (await recutter()).passages(state, { text, cuts }) : [];
  const embeddings = await source.embeddings(passages.map((passage) => passage.text));
  const { contents } = route.to;
  const content = file.content && (await contents.stage(file.content.read(), botId));
  try {
    await target.put({ state, text, passages, embeddings, content });
  } catch (error) {
    if (content) await contents.discard(content).catch(() => {});
    throw error;
  }
}

/** The state of a file with its folder as the target has it. */
function rebased(state: FileState, route: Route): FileState {
  return state.folder === null ? state : { ...state, folder: rebase(state.folder, route) };
}
