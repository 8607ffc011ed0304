import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { docsPage } from './docs-page.js';
import { openApi } from './openapi.js';
import { OPERATIONS } from './operations.js';

/** `/openapi.json` for programs, `/docs` for people. Both are public: they say nothing of what is stored. */
export function serveDocumentation(app: FastifyInstance): void {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const document = openApi(OPERATIONS, version);
  const page = docsPage(document);
  app.get('/openapi.json', async () => document);
  app.get('/docs', async (_, reply) => {
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    reply.header('content-type', 'text/html; charset=utf-8');
    return page;
  });
}
