import type { FastifyInstance } from 'fastify';
import { authorized } from './permission.js';
import type { Serving } from './serve-operation.js';

export const CONTENT = { method: 'GET', path: '/v1/files/{id}/content' } as const;

/** Answers a file's bytes, for programs: a browser is to run or show nothing that somebody has uploaded. */
export function serveContent(app: FastifyInstance, { host }: Serving): void {
  app.get<{ Params: { id: string } }>(
    '/v1/files/:id/content',
    {
      async onRequest(request) {
        request.targetId = await authorized(request, { permission: 'search', host });
      },
    },
    async (request, reply) => {
      const files = await host.bot(request.targetId);
      const { bytes, contentType } = await files.content(request.params.id);
      return reply
        .header('content-type', /^[\x20-\x7e]+$/.test(contentType) ? contentType : 'application/octet-stream')
        .header('content-disposition', 'attachment')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(Buffer.from(bytes));
    },
  );
}
