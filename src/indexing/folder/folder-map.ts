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

/** Where the files of a folder are. */
interface Location {
  /** Absolute, with a slash at the end. */
  readonly path: string;
  /** What its keys begin with. */
  readonly prefix: string;
  /** Known folders within; the longest paths first. */
  readonly inner: readonly Inner[];
}

/** The folders that a bot knows, as places of the file system. A file belongs to the innermost of those around it. */
export class FolderMap {
  /** The folder that the others are relative to. */
  readonly #base: string;
  readonly #names: ReadonlyMap<string, string>;
  /** Computed once for each folder of files. */
  readonly #locations = new Map<string, Location>();

  constructor(records: readonly Pick<FolderRecord, 'folder' | 'name'>[], base: string) {
    this.#base = base;
    this.#names = new Map(records.map(({ folder, name }) => [folder, name]));
  }

  /** An absolute path as records have it. */
  folderOf(absolute: string): string {
    return path.relative(this.#base, absolute).split(path.sep).join('/') || '.';
  }

  /** The absolute path of a folder. */
  pathOfFolder(folder: string): string {
    return path.resolve(this.#base, folder);
  }

  /** The absolute path of a file; undefined for a text given to `indexFile`. */
  pathOf({ key, folder }: Stored): string | undefined {
    return folder === null ? undefined : this.pathIn(folder, key);
  }

  /** The absolute path of a file of a folder, by its key. */
  pathIn(folder: string, key: string): string {
    // Joined by hand: thousands of files are compared before a search.
    const location = this.#locationOf(folder);
    return `${location.path}${relative(key, location)}`;
  }

  /** The folder that a file belongs to; null for a text given to `indexFile`. */
  ownerOf(file: Stored): string | null {
    if (file.folder === null) return null;
    const location = this.#locationOf(file.folder);
    if (location.inner.length === 0) return file.folder;
    const within = relative(file.key, location);
    return location.inner.find((inner) => within.startsWith(inner.within))?.folder ?? file.folder;
  }

  /** The paths of the known folders within a folder, from there. */
  innerPaths(folder: string): ReadonlySet<string> {
    return new Set(this.#within(folder).map(({ within }) => within.slice(0, -1)));
  }

  /** The known folders within a folder. */
  innerFolders(folder: string): string[] {
    return this.#within(folder).map((inner) => inner.folder);
  }

  #locationOf(folder: string): Location {
    const known = this.#locations.get(folder);
    if (known) return known;
    const name = this.#names.get(folder);
    const inner = name === undefined ? [] : this.#within(folder);
    const location = { path: `${this.pathOfFolder(folder)}/`, prefix: prefixOf(name ?? ''), inner };
    this.#locations.set(folder, location);
    return location;
  }

  #within(outer: string): Inner[] {
    const place = this.pathOfFolder(outer);
    return [...this.#names.keys()]
      .map((folder) => ({
        folder,
        within: `${path.relative(place, this.pathOfFolder(folder)).split(path.sep).join('/')}/`,
      }))
      .filter(({ within }) => within !== '/' && !within.startsWith('../') && !path.isAbsolute(within))
      .sort((a, b) => b.within.length - a.within.length);
  }
}

/** The path of a file from its folder. */
function relative(key: string, { prefix }: Location): string {
  return key.startsWith(prefix) ? key.slice(prefix.length) : key;
}

/** What the keys of a folder with this name begin with. */
export function prefixOf(name: string): string {
  return name === '' ? '' : `${name}/`;
}
