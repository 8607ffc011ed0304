import type { HttpOperation, ResponseOf, ValidRequestOf } from '../../contract/operation.js';
import type { Operations } from '../../contract/operations/index.js';
import { COVERAGE_HEADER } from '../../contract/operations/search.js';
import { amountOf } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import type { Administration, BotFiles } from '../../index.js';
import { HttpError } from '../errors/http-error.js';
import { withAbsoluteUrl } from './base-url.js';

interface Context<Target> {
  /** The files of a bot, or for administration a workspace. */
  readonly target: Target;
  /** The address that the caller reaches the service by, without a slash at its end. */
  readonly base: string;
  /** Maximum size of an upload, in bytes. */
  readonly uploadLimit: number;
  /** Sets a header of the answer. */
  readonly setHeader: (name: string, value: string) => void;
  /** Fires when the caller disconnects or the time for the answer is over. */
  readonly signal: AbortSignal;
}

/** Carries out an operation in process. */
export type Handler<Op extends HttpOperation> = (
  request: ValidRequestOf<Op>,
  context: Context<Op['permission'] extends 'admin' ? Administration : BotFiles>,
) => Promise<ResponseOf<Op>>;

/** How each operation of the contract is carried out. */
export const HANDLERS: { readonly [Id in keyof Operations]: Handler<Operations[Id]> } = {
  async searchFiles(request, { target, signal, setHeader }) {
    const answer = await target.searchFiles(request, { signal });
    // Rounded down: 1 means all.
    setHeader(COVERAGE_HEADER, String(Math.floor((await target.index.coverage()) * 10_000) / 10_000));
    return answer;
  },
  async listFiles(request, { target, base }) {
    const { files, meta } = await target.listFiles(request);
    return { files: files.map((file) => withAbsoluteUrl(base, file)), meta };
  },
  async upsertFile(request, { target, base, uploadLimit }) {
    if (request.size > uploadLimit) {
      const most = amountOf({ ...LIMITS.upload, value: uploadLimit });
      throw new HttpError('PayloadTooLarge', `size must be at most ${most}; it is ${request.size}.`);
    }
    const { file } = await target.upsertFile(request);
    return { file: { ...withAbsoluteUrl(base, file), uploadUrl: `${base}${file.uploadUrl}` } };
  },
  async getFile(request, { target, base }) {
    const { file } = await target.getFile(request);
    return { file: withAbsoluteUrl(base, file) };
  },
  async updateFileMetadata(request, { target, base }) {
    const { file } = await target.updateFileMetadata(request);
    return { file: withAbsoluteUrl(base, file) };
  },
  async copyFile(request, { target, base, signal }) {
    const { file } = await target.copyFile(request, { signal });
    return { file: withAbsoluteUrl(base, file) };
  },
  deleteFile: (request, { target }) => target.deleteFile(request),
  listFilePassages: (request, { target }) => target.listFilePassages(request),
  setFilePassages: (request, { target, signal }) => target.setFilePassages(request, { signal }),
  listFileTags: (request, { target }) => target.listFileTags(request),
  listFileTagValues: (request, { target }) => target.listFileTagValues(request),
  listKnowledgeBases: (request, { target }) => target.listKnowledgeBases(request),
  createKnowledgeBase: (request, { target }) => target.createKnowledgeBase(request),
  updateKnowledgeBase: (request, { target }) => target.updateKnowledgeBase(request),
  // Deletions go on without their caller: stopped halfway, they would leave some of the files.
  deleteKnowledgeBase: (request, { target }) => target.deleteKnowledgeBase(request),
  listBots: (request, { target }) => target.listBots(request),
  createBot: (request, { target }) => target.createBot(request),
  getBot: (request, { target }) => target.getBot(request),
  updateBot: (request, { target }) => target.updateBot(request),
  deleteBot: (request, { target }) => target.deleteBot(request),
  listWorkspaces: (request, { target }) => target.listWorkspaces(request),
  getWorkspace: (request, { target }) => target.getWorkspace(request),
  updateWorkspace: (request, { target }) => target.updateWorkspace(request),
};
