import type { RequestOf, ResponseOf } from '../operation.js';
import { createBot, deleteBot, getBot, listBots, updateBot } from './bots.js';
import { copyFile, deleteFile, getFile, listFiles, updateFileMetadata, upsertFile } from './files.js';
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
  listKnowledgeBases,
  updateKnowledgeBase,
} from './knowledge-bases.js';
import { listFilePassages, setFilePassages } from './passages.js';
import { searchFiles } from './search.js';
import { listFileTags, listFileTagValues } from './tags.js';
import { getWorkspace, listWorkspaces, updateWorkspace } from './workspaces.js';

/** The contract: every operation with a route, by its id. */
export const OPERATIONS = {
  searchFiles,
  listFiles,
  upsertFile,
  getFile,
  updateFileMetadata,
  copyFile,
  deleteFile,
  listFilePassages,
  setFilePassages,
  listFileTags,
  listFileTagValues,
  listKnowledgeBases,
  createKnowledgeBase,
  updateKnowledgeBase,
  deleteKnowledgeBase,
  listBots,
  createBot,
  getBot,
  updateBot,
  deleteBot,
  listWorkspaces,
  getWorkspace,
  updateWorkspace,
};

/** The type of the contract's table. */
export type Operations = typeof OPERATIONS;

/** The request of an operation, by its id. */
export type RequestFor<Id extends keyof Operations> = RequestOf<Operations[Id]>;

/** The answer of an operation, by its id. */
export type ResponseFor<Id extends keyof Operations> = ResponseOf<Operations[Id]>;
