import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { HttpError } from '../errors/http-error.js';

/**
 * Accepts JSON bodies; an empty one counts as missing, as some clients send with DELETE. Members named `__proto__` are
 * left to validation, which refuses them as it does in process; it copies only fields that it knows.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0) done(null, undefined);
    // If it were decoded nevertheless, different keys would become the same.
    else if (!isUtf8(bytes)) done(new HttpError('InvalidPayload', 'The body is not valid UTF-8: encode it as UTF-8.'));
    else parse(request, bytes.toString(), done);
  });
}
