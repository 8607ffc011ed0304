import { WaymarkError } from '../../domain/errors.js';
import type { Tags } from '../../domain/passage.js';
import type { IndexedFormat } from '../../formats/format-table.js';
import { formats } from '../../formats/formats.js';
import type { FileToPut, StoredFile } from '../../storage/passage-store.js';
import type { FileText } from '../file-text.js';
import type { Indexing } from '../indexing.js';
import { isCurrent } from '../pipeline.js';
import { prepareFile } from '../prepare-file.js';
import { readUtf8 } from '../read-file.js';
import type { Failure, FoundFile } from './walk.js';

/** What all files of a folder have in common. */
export interface FolderSettings extends Pick<Indexing, 'store' | 'parser'> {
  /** The folder, relative to the database's. */
  readonly folder: string;
  readonly pipeline: string;
  readonly tags: Tags;
}

/** Reads the new and changed files of a folder one by one, stores them, and counts the outcomes. */
export class FolderReader {
  /** Stored files that are gone from the folder and were not found elsewhere. */
  readonly vanished: Set<StoredFile>;
  readonly counts = { added: 0, updated: 0, moved: 0, unchanged: 0 };
  readonly failed: Failure[] = [];
  readonly warnings: Failure[] = [];
  readonly #settings: FolderSettings;
  readonly #vanishedByHash: ReadonlyMap<string, readonly StoredFile[]>;

  constructor(vanished: readonly StoredFile[], settings: FolderSettings) {
    this.vanished = new Set(vanished);
    this.#vanishedByHash = byHash(vanished);
    this.#settings = settings;
  }

  /** Reads a file; `stored` is the file that is stored under its key. A file that cannot be read is in `failed`. */
  async read({ key, path, mtime }: FoundFile, stored: StoredFile | undefined): Promise<void> {
    const { store, parser, folder, pipeline, tags } = this.#settings;
    const format = formats.ofText({ key });
    const origin = { key, folder, mtime, indexedAt: Date.now() };
    let read: FileText;
    let prepared: FileToPut | undefined;
    let same: StoredFile | undefined;
    try {
      read = await readUtf8(path);
      if (isCurrent(stored, { hash: read.hash, pipeline })) same = stored;
      else if (!stored) same = this.#takeMoved(read.hash, format);
      if (!same) prepared = await prepareFile(read, { ...origin, pipeline, tags, metadata: {}, format }, parser);
    } catch (error) {
      if (error instanceof WaymarkError && error.code !== 'INVALID_ARGUMENT') throw error;
      this.failed.push({ key, reason: error instanceof Error ? error.message : String(error) });
      return;
    }
    if (prepared) this.warnings.push(...prepared.warnings.map((reason) => ({ key, reason })));
    // A text that is too much for its parser again keeps its passages.
    if (prepared && isCurrent(stored, prepared)) same = stored;
    if (prepared && !same) {
      await store.put(prepared);
      if (stored) this.counts.updated++;
      else this.counts.added++;
    } else if (same) {
      await store.touch(same.id, { ...origin, size: read.size });
      if (same.key === key && same.folder === folder) this.counts.unchanged++;
      else this.counts.moved++;
    }
  }

  /** A vanished file with the same bytes has moved here: it is no longer counted as vanished. */
  #takeMoved(hash: string, format: IndexedFormat): StoredFile | undefined {
    const moved = this.#vanishedByHash
      .get(hash)
      ?.find(
        (file) =>
          this.vanished.has(file) &&
          file.pipeline === this.#settings.pipeline &&
          formats.ofText(file).contentType === format.contentType,
      );
    if (moved) this.vanished.delete(moved);
    return moved;
  }
}

function byHash(files: readonly StoredFile[]): Map<string, StoredFile[]> {
  const found = new Map<string, StoredFile[]>();
  for (const file of files) {
    const same = found.get(file.hash);
    if (same) same.push(file);
    else found.set(file.hash, [file]);
  }
  return found;
}
