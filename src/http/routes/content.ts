import type { FastifyInstance } from 'fastify';
import { CONTENT_ROUTE } from '../../contract/byte-routes.js';
import { authorize } from '../access/permission.js';
import type { Serving } from '../serving.js';

/** Answers a file's bytes, for programs: a browser must not run or show uploaded content. */
export function serveContent(app: FastifyInstance, { host }: Serving): void {
  app.get<{ Params: { id: string } }>(
    CONTENT_ROUTE.path.replace('{id}', ':id'),
    {
      async onRequest(request) {
        request.targetId = await authorize(request, { permission: 'search', host });
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
