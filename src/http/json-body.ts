import type { FastifyInstance } from 'fastify';

/** Takes bodies of JSON; an empty one is none, as DELETE has it. */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined);
    else parse(request, String(text), done);
  });
}
