import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UPLOAD_ROUTE } from '../../contract/byte-routes.js';
import { amountOf, describeExcess } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import { WaymarkError } from '../../index.js';
import { abortOnDisconnect } from '../connections/abort-on-disconnect.js';
import { bodyTime } from '../connections/body-time.js';
import { disconnected, HttpError } from '../errors/http-error.js';
import type { Serving } from '../serving.js';
import { baseUrl, withAbsoluteUrl } from './base-url.js';
import { checkQueue } from './check-queue.js';

interface UploadRoute {
  Params: { secret: string };
}

/** Accepts the bytes of files, once per address, and stores them as they arrive. The address is the permission. */
export function serveUploads(app: FastifyInstance, { host, settings }: Serving): void {
  const { uploadLimit, answerTimeout, connectionLimits, publicUrl } = settings;
  app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', (_, body, done) => done(null, body));
    uploads.put<UploadRoute>(
      UPLOAD_ROUTE.path.replace('{secret}', ':secret'),
      {
        bodyLimit: uploadLimit,
        config: { isStreamed: true },
        // Before the body is read: without a valid address, the service reads no bytes.
        async onRequest(request) {
          request.targetId = await host.uploadBot(request.params.secret);
          // Again: many files may have been announced before others were uploaded.
          checkQueue({ host, settings });
        },
      },
      async (request, reply) => {
        const base = baseUrl(request, publicUrl);
        const { secret } = request.params;
        const content = bytesOf(request, uploadLimit);
        const timeout = answerTimeout + bodyTime(request, connectionLimits);
        try {
          const work = (signal: AbortSignal) => host.receive(secret, content, { signal });
          const file = await abortOnDisconnect(work, { reply, timeout, changes: true });
          return { file: withAbsoluteUrl(base, file) };
        } catch (error) {
          if (error instanceof HttpError) await fail(request, whyFailed(error, { request, uploadLimit }));
          throw error;
        }
      },
    );
  });

  /** Records why an upload failed, unless its file is gone or has its content meanwhile. */
  async function fail(request: FastifyRequest<UploadRoute>, reason: string): Promise<void> {
    try {
      await host.failUpload(request.params.secret, reason);
    } catch (error) {
      // The caller needs to know why the upload failed, not why that could not be recorded.
      const isGone = error instanceof WaymarkError && error.code === 'UPLOAD_MISSING';
      if (!isGone) request.log.error({ err: error }, 'failed');
    }
  }
}

/** The body of a request as it arrives. Throws HttpErrors if there is more than the limit or the caller disconnects. */
async function* bytesOf({ body, headers }: FastifyRequest, limit: number): AsyncGenerator<Uint8Array> {
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (!(body instanceof Readable)) return;
  let size = 0;
  // Destroying the body would end the connection before the answer.
  const parts = body.iterator({ destroyOnReturn: false });
  for (;;) {
    const { done, value } = await parts.next().catch(() => {
      throw disconnected();
    });
    if (done) return;
    size += value.length;
    if (size > limit) throw tooLarge(limit);
    yield value;
  }
}

function tooLarge(limit: number): HttpError {
  const sentence = describeExcess({ limit: { ...LIMITS.body, value: limit } });
  return new HttpError('PayloadTooLarge', `${sentence}: send less.`);
}

function whyFailed(
  { type, status }: HttpError,
  { request, uploadLimit }: { request: FastifyRequest; uploadLimit: number },
): string {
  if (type === 'PayloadTooLarge') return `more than ${amountOf({ ...LIMITS.upload, value: uploadLimit })} arrived`;
  if (status !== 499) return 'storing it took too long';
  return `the connection ended before ${request.raw.complete ? 'the content was stored' : 'all bytes had arrived'}`;
}
