import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { baseUrl } from './base-url.js';
import { fileAt } from './file-at.js';
import { fileSchema } from './file-schema.js';
import type { Serving } from './serve-operation.js';

export const UPLOAD = { method: 'PUT', path: '/v1/uploads/{secret}' } as const;

export const uploadResponse = z.strictObject({ file: fileSchema });

/** Takes the bytes of files: whoever knows the address may send them, once. */
export function serveUploads(app: FastifyInstance, { host, settings }: Serving): void {
  app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes));
    uploads.put<{ Params: { secret: string } }>(
      '/v1/uploads/:secret',
      {
        bodyLimit: settings.uploadLimit,
        // Before a body is read: who knows no address makes the service keep no bytes.
        onRequest: async (request) => host.checkUpload(request.params.secret),
      },
      async (request) => {
        const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
        return { file: fileAt(baseUrl(request, settings.publicUrl), await host.receive(request.params.secret, bytes)) };
      },
    );
  });
}
