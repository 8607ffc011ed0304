import type { RequestOf, ResponseOf } from '../operation.js';
import { getBot, listBots } from './bots.js';
import { deleteFile, getFile, listFiles, updateFileMetadata, upsertFile } from './files.js';
import { listFilePassages, setFilePassages } from './passages.js';
import { searchFiles } from './search.js';
import { listFileTags, listFileTagValues } from './tags.js';

/** The contract: every operation with a route, by its id. */
export const OPERATIONS = {
  searchFiles,
  listFiles,
  upsertFile,
  getFile,
  updateFileMetadata,
  deleteFile,
  listFilePassages,
  setFilePassages,
  listFileTags,
  listFileTagValues,
  listBots,
  getBot,
};

/** The type of the contract's table. */
export type Operations = typeof OPERATIONS;

/** The request of an operation, by its id. */
export type RequestFor<Id extends keyof Operations> = RequestOf<Operations[Id]>;

/** The answer of an operation, by its id. */
export type ResponseFor<Id extends keyof Operations> = ResponseOf<Operations[Id]>;
