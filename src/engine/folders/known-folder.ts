import type { IndexFolderOptions, IndexFolderResult } from '../../indexing/index-folder.js';
import type { FolderRecord } from '../../storage/folders.js';

/** A folder whose files a bot has, and where it is. */
export interface PlacedFolder extends FolderRecord {
  /** Absolute path. */
  readonly path: string;
}

/** A folder whose files a bot has, and how many there are. */
export interface KnownFolder extends PlacedFolder {
  /** Number of its indexed files. */
  readonly files: number;
}

/** What became of one folder in a run over all of them. */
export interface FolderOutcome extends Pick<KnownFolder, 'folder' | 'name' | 'path'> {
  /** Missing if there was a problem. */
  readonly result?: IndexFolderResult;
  /** Why the folder could not be brought up to date, for people. */
  readonly problem?: string;
}

/** Options of a run over all folders. */
export type IndexFoldersOptions = Pick<IndexFolderOptions, 'onProgress' | 'verify' | 'signal'>;

/** What a run compares with the index: all files of a folder, or some keys. A key may be that of a deleted folder. */
export type Changed = 'all' | readonly string[];
