import path from 'node:path';
import type { FolderRecord } from '../../storage/folders.js';
import type { StoredFile } from '../../storage/passage-store.js';

/** A stored file's place. */
type Stored = Pick<StoredFile, 'key' | 'folder'>;

/** A known folder within another one. */
interface Inner {
  readonly folder: string;
  /** Its path from the outer folder, with a slash at the end. */
  readonly within: string;
}

/** The folders that a bot knows, as places of the file system. A file belongs to the innermost of those around it. */
export class FolderMap {
  /** The folder that the others are relative to. */
  readonly #base: string;
  readonly #names: ReadonlyMap<string, string>;
  /** Absolute paths of the folders of files, each with a slash at the end. */
  readonly #places = new Map<string, string>();
  /** By the outer folder; the longest paths first. */
  readonly #inner = new Map<string, readonly Inner[]>();

  constructor(records: readonly Pick<FolderRecord, 'folder' | 'name'>[], base: string) {
    this.#base = base;
    this.#names = new Map(records.map(({ folder, name }) => [folder, name]));
    for (const { folder } of records) this.#inner.set(folder, this.#within(folder));
  }

  /** An absolute path as records have it. */
  folderOf(absolute: string): string {
    return path.relative(this.#base, absolute).split(path.sep).join('/') || '.';
  }

  /** The absolute path of a folder. */
  placeOf(folder: string): string {
    return path.resolve(this.#base, folder);
  }

  /** The absolute path of a file; undefined for a text given to `indexFile`. */
  pathOf({ key, folder }: Stored): string | undefined {
    return folder === null ? undefined : this.pathIn(folder, key);
  }

  /** The absolute path of a file of a folder, by its key. */
  pathIn(folder: string, key: string): string {
    // Joined by hand: thousands of files are compared before a search.
    const place = this.#places.get(folder) ?? `${this.placeOf(folder)}/`;
    this.#places.set(folder, place);
    return `${place}${this.#relative({ key, folder })}`;
  }

  /** The folder that a file belongs to; null for a text given to `indexFile`. */
  ownerOf(file: Stored): string | null {
    if (file.folder === null) return null;
    const relative = this.#relative(file);
    const inner = this.#inner.get(file.folder)?.find(({ within }) => relative.startsWith(within));
    return inner?.folder ?? file.folder;
  }

  /** The absolute paths of the known folders within a folder. */
  innerPlaces(folder: string): ReadonlySet<string> {
    return new Set(this.#within(folder).map((inner) => this.placeOf(inner.folder)));
  }

  #relative({ key, folder }: Stored): string {
    const prefix = prefixOf(this.#names.get(folder ?? '') ?? '');
    return key.startsWith(prefix) ? key.slice(prefix.length) : key;
  }

  #within(outer: string): Inner[] {
    const place = this.placeOf(outer);
    return [...this.#names.keys()]
      .map((folder) => ({ folder, within: `${path.relative(place, this.placeOf(folder)).split(path.sep).join('/')}/` }))
      .filter(({ within }) => within !== '/' && !within.startsWith('../') && !path.isAbsolute(within))
      .sort((a, b) => b.within.length - a.within.length);
  }
}

/** What the keys of a folder with this name begin with. */
export function prefixOf(name: string): string {
  return name === '' ? '' : `${name}/`;
}
