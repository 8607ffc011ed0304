import type { Tags } from '../domain/passage.js';

/** Tags of some files of a folder. */
export interface TagRule {
  /** A file, a folder or a glob, relative to the folder of the files, or a list of them; see `pathFilter`. */
  readonly path: string | readonly string[];
  readonly tags: Tags;
}

/** A folder of the file system whose files a bot has, and how they are indexed. */
export interface FolderRecord {
  /** Relative to the folder of the database, with forward slashes. */
  readonly folder: string;
  /** What the keys of its files begin with, before a slash; empty if they are relative to the folder. */
  readonly name: string;
  /** Tags of every file. */
  readonly tags: Tags;
  /** Tags of some files, which override `tags`; of several rules that a file matches, the last one counts. */
  readonly tagRules: readonly TagRule[];
  /** Files to skip: patterns in .gitignore syntax, relative to the folder. */
  readonly ignore: readonly string[];
  /** Start of the last run over all of its files, in milliseconds since the epoch; null before the first. */
  readonly seenAt: number | null;
}

/** What a folder must have for a record to be put: this record, or none. */
export interface ExpectedFolder {
  readonly expected: FolderRecord | undefined;
}

/** Whether two records, whose members are in the same order, are the same; two missing ones are. */
export function isSameFolder(a: FolderRecord | undefined, b: FolderRecord | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The folders that a bot knows. */
export interface Folders {
  /** By name, then by folder. */
  list(): Promise<readonly FolderRecord[]>;
  /**
   * Inserts or replaces a record. Returns false, and changes nothing, if the folder no longer has the record
   * `expected`, or has one although `expected` is undefined. Throws `FOLDER_EXISTS` if another folder has its name,
   * `BOT_MISSING`.
   */
  put(record: FolderRecord, condition?: ExpectedFolder): Promise<boolean>;
  /** Sets `seenAt` of a known folder. */
  markSeen(folder: string, seenAt: number): Promise<void>;
  /** Forgets a folder, not its files. */
  remove(folder: string): Promise<void>;
}
