import { readFailure, WaymarkError } from '../../domain/errors.js';
import type { Tags } from '../../domain/passage.js';
import type { Format } from '../../formats/format-table.js';
import { formats } from '../../formats/formats.js';
import type { FileTouch, StoredFile } from '../../storage/passage-store.js';
import { AheadEmbedder } from '../embedding/ahead-embedder.js';
import type { Indexing } from '../indexing.js';
import { isFailureOfText } from '../parsing/parse-pool.js';
import { isCurrent } from '../pipeline.js';
import { prepareFile } from '../prepare-file.js';
import { isInPlace, readText } from '../read-file.js';
import { type Compared, type Ownership, otherOwner } from './diff.js';
import type { Failure, FoundFile } from './walk.js';

/** What all files of a folder have in common. */
export interface FolderSettings extends Pick<Indexing, 'store' | 'parser' | 'embedder' | 'signal'>, Ownership {
  /** The pipeline of a file, by its key. */
  readonly pipelineFor: (key: string) => string;
  /** The tags that the folder gives a file, by its key. */
  readonly tagsFor: (key: string) => Tags;
}

/**
 * Reads the new and changed files of a folder one by one, stores them, and counts the outcomes. Changes by other calls
 * are kept: a write is refused if the file is no longer in the state that the write was decided on.
 */
export class FolderReader {
  readonly counts = { added: 0, updated: 0, moved: 0, unchanged: 0, removed: 0 };
  readonly failed: Failure[] = [];
  readonly warnings: Failure[] = [];
  /** Stored files that are gone from the folder and were not found elsewhere. */
  readonly #vanished: Set<StoredFile>;
  /** The vanished files that may still be found elsewhere, by hash. */
  readonly #movable: ReadonlyMap<string, Set<StoredFile>>;
  readonly #settings: FolderSettings;
  readonly #ahead: AheadEmbedder | undefined;

  constructor(vanished: readonly StoredFile[], settings: FolderSettings) {
    this.#vanished = new Set(vanished);
    this.#movable = byHash(vanished);
    this.#settings = settings;
    this.#ahead = settings.store.embedsFirst ? new AheadEmbedder(settings) : undefined;
  }

  /** Stored files that are gone from the folder and were not found elsewhere. */
  get vanished(): ReadonlySet<StoredFile> {
    return this.#vanished;
  }

  /** Reads a file. One that cannot be read, or that another call has changed meanwhile, is in `failed`. */
  async read({ found, stored }: Compared): Promise<void> {
    const { key } = found;
    try {
      let now = stored;
      while (!(await this.#update(found, now))) {
        const next = await this.#settings.store.file(key);
        const reason = this.#otherChange(now, next);
        if (reason) {
          this.failed.push({ key, reason });
          return;
        }
        now = next;
      }
      if (!now) await this.removeIfGone(found);
    } catch (error) {
      const isOfFile = !(error instanceof WaymarkError) || error.code === 'INVALID_ARGUMENT' || isFailureOfText(error);
      if (!isOfFile) throw error;
      this.failed.push({ key, reason: readFailure(error) });
    }
  }

  /** Records the times and the inode of an unchanged file. */
  async record({ found, stored }: Compared): Promise<void> {
    if (stored) await this.#settings.store.touch(stored, this.#seen(found, stored.indexedAt));
  }

  /** Removes a vanished file, unless another call has given it another content. */
  async remove(file: StoredFile): Promise<void> {
    const { store } = this.#settings;
    for (let now: StoredFile | undefined = file; now && isContentOf(now, file); now = await store.file(file.key)) {
      if (!(await store.remove(file.key, { only: now }))) continue;
      this.counts.removed++;
      return;
    }
  }

  /**
   * Removes a file that was deleted after it was found. A process that watches the folder may have seen the deletion
   * before the file was stored, and had nothing to remove.
   */
  async removeIfGone({ key, path, ctime, inode }: FoundFile): Promise<void> {
    if (await isInPlace(path)) return;
    const { store, folder } = this.#settings;
    const added = await store.file(key);
    // Another one may have come back under its name, and have been stored.
    const isSame = added?.folder === folder && added.ctime === ctime && added.inode === inode;
    if (isSame) await this.remove(added);
  }

  /** Reads a file and stores it. Returns false if another call has changed the stored file since it was read. */
  async #update(found: FoundFile, stored: StoredFile | undefined): Promise<boolean> {
    const { store, parser, signal, pipelineFor, tagsFor } = this.#settings;
    const { key, path } = found;
    const pipeline = pipelineFor(key);
    const indexedAt = Date.now();
    const format = formats.ofText({ key });
    const read = await readText(path, { format, parser, signal });
    const seen = { ...this.#seen(found, indexedAt), size: read.size };
    if (stored && isCurrent(stored, { hash: read.hash, pipeline })) return this.#touch(stored, seen);
    const moved = stored ? undefined : this.#takeMovable(read.hash, format);
    const hasMoved = moved !== undefined && (await this.#touch(moved, seen));
    if (hasMoved) {
      this.#vanished.delete(moved);
      if (moved.pipeline === pipeline) return true;
      // Otherwise it must be cut again, because its pipeline includes the title from its name.
    }
    const current = hasMoved ? await store.file(key) : stored;
    const origin = { ...seen, pipeline, tags: tagsFor(key), metadata: {}, format };
    const prepared = await prepareFile(read, origin, { parser, signal });
    // A text that exceeds the limits of its parser once more keeps its passages.
    const isSame = current && isCurrent(current, prepared);
    if (isSame) {
      if (!(await this.#touch(current, seen))) return false;
    } else {
      const embeddings = await this.#ahead?.embeddingsOf(prepared);
      if (!(await store.put(prepared, { expected: current, embeddings, signal }))) return false;
    }
    if (!isSame && !hasMoved) this.counts[current ? 'updated' : 'added']++;
    this.warnings.push(...prepared.warnings.map((reason) => ({ key, reason })));
    return true;
  }

  async #touch(stored: StoredFile, seen: FileTouch): Promise<boolean> {
    if (!(await this.#settings.store.touch(stored, seen))) return false;
    this.counts[stored.key === seen.key && stored.folder === seen.folder ? 'unchanged' : 'moved']++;
    return true;
  }

  #seen({ key, size, mtime, ctime, inode }: FoundFile, indexedAt: number): FileTouch {
    return { key, folder: this.#settings.folder, size, mtime, ctime, inode, indexedAt };
  }

  /** Why a stored file must be left to the call that changed it; undefined if its new state may be replaced. */
  #otherChange(before: StoredFile | undefined, now: StoredFile | undefined): string | undefined {
    const owner = now && otherOwner(now, this.#settings);
    if (owner) return owner;
    // Its description was changed, or another process has read the same folder.
    if (isContentOf(now, before) || (now && now.mtime !== null)) return undefined;
    return now
      ? 'another call has given it a text meanwhile: index the folder again to read its file'
      : 'another call has removed it meanwhile: index the folder again to add it';
  }

  /** A vanished file with the same bytes, which may have moved; each is returned once. */
  #takeMovable(hash: string, format: Format): StoredFile | undefined {
    const candidates = this.#movable.get(hash);
    for (const file of candidates ?? []) {
      const isCut = file.pipeline === this.#settings.pipelineFor(file.key);
      if (!isCut || formats.ofText(file).contentType !== format.contentType) continue;
      candidates?.delete(file);
      return file;
    }
    return undefined;
  }
}

/** Whether a stored file has the content that it had, whatever its description is now. */
function isContentOf(now: StoredFile | undefined, before: StoredFile | undefined): boolean {
  return now?.id === before?.id && now?.indexedAt === before?.indexedAt && now?.mtime === before?.mtime;
}

function byHash(files: readonly StoredFile[]): Map<string, Set<StoredFile>> {
  const found = new Map<string, Set<StoredFile>>();
  for (const file of files) {
    const same = found.get(file.hash);
    if (same) same.add(file);
    else found.set(file.hash, new Set([file]));
  }
  return found;
}
