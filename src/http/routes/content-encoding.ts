import type { FastifyInstance } from 'fastify';
import { bytesToArrive } from '../connections/body-time.js';
import { HttpError } from '../errors/http-error.js';

/** Refuses encoded bodies, such as compressed ones: nothing decodes them. */
export function refuseEncodings(app: FastifyInstance): void {
  app.addHook('preParsing', async (request) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    const isRead = request.method !== 'GET' && request.method !== 'HEAD' && bytesToArrive(request) > 0;
    if (!isRead || /^(identity)?$/i.test(encoding)) return;
    throw new HttpError(
      'UnsupportedMediaType',
      `Content-Encoding must be identity; it is ${JSON.stringify(encoding)}: send the body as it is.`,
      { headers: { 'accept-encoding': 'identity' } },
    );
  });
}
