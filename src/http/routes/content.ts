import { isUtf8 } from 'node:buffer';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import parseRange from 'range-parser';
import { CONTENT_ROUTE } from '../../contract/byte-routes.js';
import type { StoredContent } from '../../index.js';
import { callerOf } from '../access/caller.js';
import { authorize } from '../access/permission.js';
import { HttpError } from '../errors/http-error.js';
import type { Serving } from '../serving.js';

interface ContentRoute {
  Params: { id: string };
  Querystring: Readonly<Record<string, unknown>>;
}

/** What a browser may show: none of it runs. */
const SHOWN = /^(?:text\/(?!html|xml|xsl|javascript)|image\/(?!svg)|audio\/|video\/|application\/json\b)/i;

/**
 * Answers a file's bytes: to a token, to the signed address that `url` gives, or to anybody if the content is public.
 * Uploaded content never runs in the service's origin: a browser shows passive types in a sandbox, and saves others.
 */
export function serveContent(app: FastifyInstance, { host }: Serving): void {
  app.get<ContentRoute>(
    CONTENT_ROUTE.path.replace('{id}', ':id'),
    {
      async onRequest(request) {
        if (hasToken(request)) request.targetId = await authorize(request, { permission: 'search', host });
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const isBots = request.targetId !== '';
      const content = isBots ? await (await host.bot(request.targetId)).content(id) : await readByAddress(request);
      return answer(content, { request, reply });
    },
  );

  /** A signature is enough, whatever else is sent. */
  function hasToken({ query, headers }: FastifyRequest<ContentRoute>): boolean {
    return query.signature === undefined && headers.authorization !== undefined;
  }

  async function readByAddress(request: FastifyRequest<ContentRoute>): Promise<StoredContent> {
    const { expires, signature } = request.query;
    const isSigned = typeof signature === 'string' && typeof expires === 'string';
    const content = await host.contentAt(request.params.id, isSigned ? { expires, signature } : undefined);
    if (content) return content;
    if (signature === undefined) callerOf(request);
    throw new HttpError('Forbidden', 'This address has expired or is not valid: getFile gives a new url.');
  }
}

/** Answers with a content, the asked range of it, or nothing if the caller has it already. */
function answer(
  { id, key, version, contentType, bytes }: StoredContent,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): FastifyReply {
  const { headers } = request;
  const etag = `"${id}-${version}"`;
  const name = key.slice(key.lastIndexOf('/') + 1);
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  if (fresh(headers, { etag })) return reply.code(304).send();
  reply.headers({
    'content-type': typeOf(contentType, bytes),
    'content-disposition': contentDisposition(name, { type: SHOWN.test(contentType) ? 'inline' : 'attachment' }),
  });
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // A content that has changed since the first part was read is answered whole.
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag;
  const ranges = headers.range !== undefined && isSame ? parseRange(all.length, headers.range) : undefined;
  if (ranges === -1) {
    const message = `Range must begin within the ${all.length} bytes of the content; it is ${headers.range}.`;
    throw new HttpError('InvalidQuery', message, {
      status: 416,
      headers: { 'content-range': `bytes */${all.length}` },
    });
  }
  // Several ranges, and those in other units, may be answered with the whole.
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length !== 1 || !ranges[0]) return reply.send(all);
  const { start, end } = ranges[0];
  reply.code(206).header('content-range', `bytes ${start}-${end}/${all.length}`);
  return reply.send(all.subarray(start, end + 1));
}

/** The type of a content, with the encoding of text: a browser would guess another one. */
function typeOf(contentType: string, bytes: Uint8Array): string {
  if (!/^[\x20-\x7e]+$/.test(contentType)) return 'application/octet-stream';
  const isText = /^text\//i.test(contentType) && !/;\s*charset=/i.test(contentType);
  return isText && isUtf8(bytes) ? `${contentType}; charset=utf-8` : contentType;
}
