import { getBot, listBots } from './bots.js';
import { listFilePassages, setFilePassages } from './file-passages.js';
import { listFileTags, listFileTagValues } from './file-tags.js';
import { listFiles } from './list-files.js';
import { deleteFile, getFile, updateFileMetadata } from './one-file.js';
import type { Operation } from './operation.js';
import { searchFiles } from './search-files.js';
import { upsertFile } from './upsert-file.js';

/** The contract's table. */
export const OPERATIONS: readonly Operation[] = [
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
];
