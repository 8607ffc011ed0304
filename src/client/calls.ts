import { listBotsSchema, validateId } from '../contract/bots.js';
import {
  listFilePassagesSchema,
  listFilesSchema,
  listFileTagsSchema,
  listFileTagValuesSchema,
  setFilePassagesSchema,
  updateFileMetadataSchema,
  upsertFileSchema,
} from '../contract/files.js';
import { validateSearchFiles } from '../contract/search-files.js';
import { validate } from '../contract/validate.js';
import * as answers from './answers.js';
import type { Call } from './connection.js';
import type { AnswerOf, RequestOf } from './operation.js';
import { botPath, filePath, tagPath } from './path.js';
import { queryString } from './query-string.js';

/** The contract's operations on the wire, each made of its checked request: all throw `INVALID_ARGUMENT`. */

/** Without a file in its path, what is missing is the bot. */
const OF_BOT = { needs: 'botId', missing: 'BOT_MISSING' } as const;
const OF_FILE = { needs: 'botId', missing: 'FILE_MISSING' } as const;
const OF_WORKSPACE = { needs: 'workspaceId' } as const;

const GET = { method: 'GET' } as const;
const PUT = { method: 'PUT' } as const;
const DELETE = { method: 'DELETE' } as const;

export function searchFiles(request: RequestOf<'searchFiles'>): Call<AnswerOf<'searchFiles'>> {
  const { tags, ...fields } = validateSearchFiles(request);
  return { ...GET, path: '/v1/files/search', query: queryString(fields, tags), ...OF_BOT, answer: answers.FOUND };
}

export function listFiles(request: RequestOf<'listFiles'>): Call<AnswerOf<'listFiles'>> {
  const { tags, ...fields } = validate(listFilesSchema, request);
  return { ...GET, path: '/v1/files', query: queryString(fields, tags), ...OF_BOT, answer: answers.FILES };
}

export function getFile(request: RequestOf<'getFile'>): Call<AnswerOf<'getFile'>> {
  return { ...GET, path: filePath(validateId(request?.id)), ...OF_FILE, answer: answers.FILE };
}

/** The first half of an upload: its answer has the address that takes the bytes. */
export function upsertFile(
  request: Omit<RequestOf<'uploadFile'>, 'content'> & { readonly size: number },
): Call<answers.ExpectedFile> {
  const body = validate(upsertFileSchema, request);
  return { ...PUT, path: '/v1/files', body, ...OF_BOT, answer: answers.EXPECTED_FILE };
}

export function updateFileMetadata(request: RequestOf<'updateFileMetadata'>): Call<AnswerOf<'updateFileMetadata'>> {
  const { id, ...body } = validate(updateFileMetadataSchema, request);
  return { ...PUT, path: filePath(id), body, ...OF_FILE, answer: answers.FILE };
}

export function deleteFile(request: RequestOf<'deleteFile'>): Call<AnswerOf<'deleteFile'>> {
  return { ...DELETE, path: filePath(validateId(request?.id)), ...OF_FILE, answer: answers.NOTHING };
}

export function listFilePassages(request: RequestOf<'listFilePassages'>): Call<AnswerOf<'listFilePassages'>> {
  const { id, ...fields } = validate(listFilePassagesSchema, request);
  const path = `${filePath(id)}/passages`;
  return { ...GET, path, query: queryString(fields), ...OF_FILE, answer: answers.PASSAGES };
}

export function setFilePassages(request: RequestOf<'setFilePassages'>): Call<AnswerOf<'setFilePassages'>> {
  const { id, ...body } = validate(setFilePassagesSchema, request);
  return { ...PUT, path: `${filePath(id)}/passages`, body, ...OF_FILE, answer: answers.NOTHING };
}

export function listFileTags(request: RequestOf<'listFileTags'>): Call<AnswerOf<'listFileTags'>> {
  const query = queryString(validate(listFileTagsSchema, request));
  return { ...GET, path: '/v1/files/tags', query, ...OF_BOT, answer: answers.FILE_TAGS };
}

export function listFileTagValues(request: RequestOf<'listFileTagValues'>): Call<AnswerOf<'listFileTagValues'>> {
  const { tag, ...fields } = validate(listFileTagValuesSchema, request);
  return { ...GET, path: tagPath(tag), query: queryString(fields), ...OF_BOT, answer: answers.FILE_TAG_VALUES };
}

export function listBots(request: RequestOf<'listBots'>): Call<AnswerOf<'listBots'>> {
  const { tags, ...fields } = validate(listBotsSchema, request);
  const query = queryString(fields, tags);
  return { ...GET, path: '/v1/admin/bots', query, ...OF_WORKSPACE, missing: 'WORKSPACE_MISSING', answer: answers.BOTS };
}

export function getBot(request: RequestOf<'getBot'>): Call<AnswerOf<'getBot'>> {
  const path = botPath(validateId(request?.id));
  return { ...GET, path, ...OF_WORKSPACE, missing: 'BOT_MISSING', answer: answers.BOT };
}
