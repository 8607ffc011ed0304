import type { FastifyInstance } from 'fastify';

/**
 * Accepts JSON bodies; an empty one counts as missing, as some clients send with DELETE. Members named `__proto__` are
 * left to validation, which refuses them as it does in process; it copies only fields that it knows.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined);
    else parse(request, String(text), done);
  });
}
