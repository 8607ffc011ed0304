import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UPLOAD_ROUTE } from '../../contract/byte-routes.js';
import { amountOf } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import { WaymarkError } from '../../index.js';
import { abortOnDisconnect } from '../connections/abort-on-disconnect.js';
import type { Serving } from '../serving.js';
import { baseUrl, fileAt } from './base-url.js';

/** Accepts the bytes of files, once per address. The address is the permission. */
export function serveUploads(app: FastifyInstance, { host, settings }: Serving): void {
  app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes));
    uploads.addHook('onError', async (request, _, error) => {
      if (error.statusCode !== 413) return;
      await fail(request, `more than ${amountOf({ ...LIMITS.upload, value: settings.uploadLimit })} arrived`);
    });
    uploads.addHook('onRequestAbort', (request) => fail(request, 'the connection ended before all bytes had arrived'));
    uploads.put<{ Params: { secret: string } }>(
      UPLOAD_ROUTE.path.replace('{secret}', ':secret'),
      {
        bodyLimit: settings.uploadLimit,
        // Before the body is read: without a valid address, the service buffers no bytes.
        async onRequest(request) {
          request.targetId = await host.uploadBot(request.params.secret);
        },
      },
      async (request, reply) => {
        const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
        const base = baseUrl(request, settings.publicUrl);
        const file = await abortOnDisconnect(() => host.receive(request.params.secret, bytes), {
          reply,
          timeout: settings.answerTimeout,
          changes: true,
        });
        return { file: fileAt(base, file) };
      },
    );
  });

  /** Records why an upload failed, unless its file is gone or has its content meanwhile. */
  async function fail({ params }: FastifyRequest, reason: string): Promise<void> {
    try {
      await host.failUpload((params as { secret: string }).secret, reason);
    } catch (error) {
      if (!(error instanceof WaymarkError && error.code === 'UPLOAD_MISSING')) throw error;
    }
  }
}
