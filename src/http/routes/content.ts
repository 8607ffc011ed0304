import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONTENT_ROUTE } from '../../contract/byte-routes.js';
import type { StoredContent } from '../../index.js';
import { callerOf } from '../access/caller.js';
import { authorize } from '../access/permission.js';
import { abortOnDisconnect } from '../connections/abort-on-disconnect.js';
import { untilTurn } from '../connections/turn.js';
import { HttpError } from '../errors/http-error.js';
import { parametersOf } from '../parameters.js';
import type { Serving } from '../serving.js';
import { namesEntityTag } from './entity-tags.js';
import { requestedRange } from './requested-range.js';

interface ContentRoute {
  Params: { id: string };
}

/** What a browser may show: none of it runs. */
const SHOWN = /^(?:text\/(?!html|xml|xsl|javascript)|image\/(?!svg)|audio\/|video\/|application\/json\b)/i;

/**
 * Answers a file's bytes: to a token, to the signed address that `url` gives, or to anybody if the content is public.
 * Uploaded content never runs in the service's origin: a browser shows passive types in a sandbox, and saves others.
 */
export function serveContent(app: FastifyInstance, { host, settings }: Serving): void {
  app.get<ContentRoute>(
    CONTENT_ROUTE.path.replace('{id}', ':id'),
    {
      config: { isAnsweredInParts: true },
      async onRequest(request) {
        if (hasToken(request))
          request.targetId = await authorize(request, { operation: { permission: 'search' }, host });
      },
    },
    async (request, reply) => {
      await untilTurn(reply);
      const read = (signal: AbortSignal) =>
        request.targetId === '' ? readByAddress(request) : readAsCaller(request, signal);
      const content = await abortOnDisconnect(read, { reply, timeout: settings.answerTimeout, changes: false });
      return await answer(content, { request, reply });
    },
  );

  /** A signature is enough, whatever else is sent. */
  function hasToken(request: FastifyRequest<ContentRoute>): boolean {
    return !parametersOf(request).has('signature') && request.headers.authorization !== undefined;
  }

  async function readAsCaller(request: FastifyRequest<ContentRoute>, signal: AbortSignal): Promise<StoredContent> {
    const files = await host.bot(request.targetId, { workspace: callerOf(request).workspaceId, signal });
    return files.content(request.params.id, { signal });
  }

  async function readByAddress(request: FastifyRequest<ContentRoute>): Promise<StoredContent> {
    const parameters = parametersOf(request);
    const [expires, signature] = [onlyOne(parameters, 'expires'), onlyOne(parameters, 'signature')];
    const isSigned = signature !== undefined && expires !== undefined;
    const content = await host.contentAt(request.params.id, isSigned ? { expires, signature } : undefined);
    if (content) return content;
    if (!parameters.has('signature')) callerOf(request);
    throw new HttpError('Forbidden', 'This address has expired or is not valid: getFile gives a new url.');
  }
}

/** The value of a parameter that is there once. */
function onlyOne(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

/** Answers with a content, the requested range of it, or nothing if the caller has it already. */
async function answer(
  content: StoredContent,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { id, key, version, contentType, size } = content;
  const { headers, method } = request;
  const isHead = method === 'HEAD';
  const etag = `"${id}-${version}"`;
  const name = key.slice(key.lastIndexOf('/') + 1);
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  const { 'if-match': wanted, 'if-none-match': known } = headers;
  if (wanted !== undefined && !namesEntityTag(wanted, etag)) {
    const message = `The content has changed: If-Match must be ${etag}; it is ${wanted}. Read it from its beginning.`;
    throw new HttpError('InvalidQuery', message, { status: 412 });
  }
  if (known !== undefined && namesEntityTag(known, etag, { isWeak: true })) {
    // With no body at all, HEAD would get the length 0, which is not that of the content.
    return reply.code(304).send(isHead ? Readable.from([]) : undefined);
  }
  // A content that has changed since the first part was read is answered whole. Ranges are defined for GET only.
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag;
  const isOfRange = headers.range !== undefined && isSame && !isHead;
  const range = isOfRange ? requestedRange(headers.range ?? '', size) : undefined;
  if (range === 'unsatisfiable') {
    const message = `Range must begin within the ${size} bytes of the content; it is ${headers.range}.`;
    throw new HttpError('InvalidQuery', message, {
      status: 416,
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: size };
  const body = isHead ? Readable.from([]) : await streamOf(content.read({ start, end }));
  // What describes the content belongs to no refusal.
  reply.headers({
    'content-type': typeOf(content),
    'content-disposition': contentDisposition(name, { type: SHOWN.test(contentType) ? 'inline' : 'attachment' }),
    'content-length': end - start,
  });
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${size}`);
  return reply.send(body);
}

/** A stream whose first part is read already: what fails at once has an answer of its own. */
async function streamOf(parts: AsyncIterable<Uint8Array>): Promise<Readable> {
  const rest = parts[Symbol.asyncIterator]();
  const first = await rest.next();
  async function* all() {
    for (let part = first; !part.done; part = await rest.next()) yield part.value;
  }
  return Readable.from(all(), { objectMode: false });
}

/** The type of a content, with the encoding of text: a browser would guess another one. */
function typeOf({ contentType, isUtf8 }: StoredContent): string {
  if (!/^[\x20-\x7e]+$/.test(contentType)) return 'application/octet-stream';
  const isText = /^text\//i.test(contentType) && !/;\s*charset=/i.test(contentType);
  return isText && isUtf8 ? `${contentType}; charset=utf-8` : contentType;
}
