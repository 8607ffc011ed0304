import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { OPERATIONS } from '../../contract/operations/index.js';
import { docsPage } from './docs-page.js';
import { openApi } from './openapi.js';

/** Paths of the documentation. */
export const DOCUMENTATION_PATHS: readonly string[] = ['/openapi.json', '/docs'];

/** `/openapi.json` for programs, `/docs` for people. Both are public: they reveal nothing that is stored. */
export function serveDocumentation(app: FastifyInstance): void {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const document = openApi(Object.values(OPERATIONS), version);
  const page = docsPage(document);
  app.get('/openapi.json', async () => document);
  app.get('/docs', async (_, reply) => {
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    reply.header('content-type', 'text/html; charset=utf-8');
    return page;
  });
}
