import type { FileOperations } from '#src/contract/file-operations.js';
import type { Mood, Slot, Via, Whom } from './operation.js';

/** The library, on the main bot. */
export interface Library {
  indexFile(key: string, text: string): Promise<unknown>;
  removeFile(key: string): Promise<boolean>;
  indexFolder(folder: string): Promise<{ readonly failed: readonly { readonly key: string }[] }>;
  searchFiles: FileOperations['searchFiles'];
}

/** The operations on the files of a bot that both a host and a client have. */
export type Files = FileOperations;

/** What is said of a file whose content is still to come. */
export interface Announcement {
  readonly key: string;
  readonly size: number;
  readonly index: true;
}

/** An announced file whose content is to be sent. */
export interface Announced {
  readonly via: Via;
  readonly uploadUrl: string;
  readonly text: string;
  readonly version: number;
}

/** What histories happen in: one database, a folder on disk, and those who work on them. */
export interface World {
  /** The folder to be indexed. */
  readonly docs: string;
  /** Whether no two texts may have the same size, because the clock of the disk is not the world's. */
  readonly padded: boolean;
  /** Codes of errors that the faults of this world explain. */
  readonly excused: ReadonlySet<string>;
  readonly announced: Map<Slot, Announced>;
  library(): Library;
  files(via: Via, bot: 'main' | 'other'): Promise<Files>;
  /** Announces a file; returns the path or address for its content. */
  announce(via: Via, bot: 'main' | 'other', file: Announcement): Promise<string>;
  put(announced: Announced): Promise<void>;
  createBot(): Promise<unknown>;
  deleteBot(): Promise<unknown>;
  now(): number;
  jump(seconds: number): void;
  be(mood: Mood): Promise<void>;
  fill(full: boolean): void;
  /** Kills a process, and starts another. */
  kill(whom: Whom): Promise<void>;
  /** Stops a process, and lets it go on. */
  pause(whom: Whom): Promise<void>;
  /** Closes everything, with calls under way, and opens it again. */
  restart(): Promise<void>;
  /** Waits until no upload waits to be indexed. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** The bot of a slot, and the file's key there. */
export function placeOf(slot: Slot): { bot: 'main' | 'other'; key: string } {
  return slot.startsWith('other/') ? { bot: 'other', key: slot.slice('other/'.length) } : { bot: 'main', key: slot };
}
