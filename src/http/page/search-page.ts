import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Bot, type BotFiles, WaymarkError } from '../../index.js';
import { checkPageAccess } from '../access/page-access.js';
import { abortOnDisconnect } from '../connections/abort-on-disconnect.js';
import { httpError } from '../errors/error-body.js';
import { type Html, html } from '../html.js';
import { parametersOf } from '../parameters.js';
import { limitedSearch } from '../routes/limited-search.js';
import type { Serving } from '../serving.js';
import { document, errorDocument, PAGE_HEADERS } from './document.js';
import { filePage } from './file-page.js';
import { emptyIndex, indexState } from './index-state.js';
import { neighbourPart } from './neighbours.js';
import { type PageRequest, pageRequestOf, positionOf } from './page-request.js';
import { findResults, type Results, refusal, resultsPart } from './results.js';
import { choicesOf, searchForm } from './search-form.js';

const FILES = [
  { path: '/page/search.js', type: 'text/javascript; charset=utf-8' },
  { path: '/page/search.css', type: 'text/css; charset=utf-8' },
  { path: '/page/icon.svg', type: 'image/svg+xml' },
] as const;

/** Paths of the search page. */
export const PAGE_PATHS: readonly string[] = [
  ...['/', '/file', '/page/results', '/page/neighbour'],
  ...FILES.map(({ path }) => path),
];

/** Answers a request of the page with HTML. */
type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<string>;

/** The search page: it needs no token, only reads, and works without its script. `isLocal`: see `checkPageAccess`. */
export function servePage(app: FastifyInstance, serving: Serving, isLocal: () => boolean): void {
  const { host, settings } = serving;
  serveHtml('/', { isPart: false }, async (request, reply) => {
    const asked = pageRequestOf(parametersOf(request));
    const bots = await oldestBots();
    if (asked.bot === '' && bots.length === 0) {
      return errorDocument('This database has no bots yet. Index a folder with: waymark index <folder>');
    }
    const files = await filesOf(asked, { bots, request, reply });
    const hasQuery = asked.query.trim() !== '';
    const results = hasQuery && (await resultsOrRefusal(asked, { files, request, reply }));
    const status = await files.index.status();
    const form = searchForm({ ...asked, bot: status.bot.id }, await choicesOf(files, bots));
    return document({
      title: asked.query === '' ? 'Waymark' : `${asked.query} · Waymark`,
      body: html`<header class="bar"><a class="name" href="/">Waymark</a>${form}</header>
<main>
<h1 class="hidden">Search</h1>
<p id="status" class="hidden" role="status"></p>
${status.files === 0 ? emptyIndex(status.bot.name) : undefined}
<section id="results" aria-label="Results">${results}</section>
</main>
${indexState(status, host.status().pending)}`,
    });
  });
  serveHtml('/page/results', { isPart: true }, async (request, reply) => {
    const asked = pageRequestOf(parametersOf(request));
    if (asked.query.trim() === '') return '';
    const files = await filesOf(asked, { bots: await oldestBots(), request, reply });
    return resultsPart(await search(asked, { files, request, reply })).text;
  });
  serveHtml('/page/neighbour', { isPart: true }, async (request, reply) => {
    const parameters = parametersOf(request);
    const asked = pageRequestOf(parameters);
    const direction = parameters.get('direction') === 'before' ? 'before' : 'after';
    const neighbour = { id: parameters.get('id') ?? '', at: positionOf(parameters, 'at') ?? 0, direction } as const;
    const files = await filesOf(asked, { bots: await oldestBots(), request, reply });
    return (await neighbourPart(asked, { neighbour, files })).text;
  });
  serveHtml('/file', { isPart: false }, async (request, reply) => {
    const parameters = parametersOf(request);
    const asked = pageRequestOf(parameters);
    const files = await filesOf(asked, { bots: await oldestBots(), request, reply });
    const [at, from] = [positionOf(parameters, 'at'), positionOf(parameters, 'from')];
    const place = { id: parameters.get('id') ?? '', at, from };
    return inTime(reply, (signal) => filePage(asked, { place, files, signal }));
  });
  for (const { path, type } of FILES) {
    const content = readFileSync(new URL(`./browser/${path.replace('/page/', '')}`, import.meta.url));
    app.get(path, routeOptions({ isPart: true }), async (_, reply) => {
      reply.headers(PAGE_HEADERS).type(type);
      return content;
    });
  }

  function serveHtml(path: string, part: { readonly isPart: boolean }, answer: Answer): void {
    app.get(path, routeOptions(part), async (request, reply) => {
      const text = await answer(request, reply);
      reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8');
      return text;
    });
  }

  function routeOptions({ isPart }: { readonly isPart: boolean }) {
    return {
      onRequest: async (request: FastifyRequest) => {
        checkPageAccess(request, { isLocal: isLocal(), settings, isPart });
      },
      errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
        const { status, message, headers, cause } = httpError(error, request);
        if (cause !== undefined && status >= 500) request.log.error({ err: cause }, 'failed');
        reply
          .code(status)
          .headers({ ...headers, ...PAGE_HEADERS })
          .type('text/html; charset=utf-8');
        reply.send(isPart ? refusal(message).text : errorDocument(message));
      },
    };
  }

  async function search(
    asked: PageRequest,
    { files, request, reply }: { files: BotFiles; request: FastifyRequest; reply: FastifyReply },
  ): Promise<Results> {
    const prepare = async (signal: AbortSignal) => () => findResults(asked, { files, signal });
    return limitedSearch(prepare, { ...serving, request, reply });
  }

  /** The results of a search, or why it was refused: what was filled in stays. */
  async function resultsOrRefusal(
    asked: PageRequest,
    { files, request, reply }: { files: BotFiles; request: FastifyRequest; reply: FastifyReply },
  ): Promise<Html> {
    try {
      return resultsPart(await search(asked, { files, request, reply }));
    } catch (error) {
      const { status, message } = httpError(error, request);
      if (status >= 500) throw error;
      reply.code(status);
      return refusal(message);
    }
  }

  /** The oldest bots of all workspaces, which the page lets choose from. */
  async function oldestBots(): Promise<readonly Bot[]> {
    const { bots } = await (await host.workspace()).listBots({ pageSize: 100, sortDirection: 'asc' });
    return bots;
  }

  async function filesOf(
    { bot }: PageRequest,
    { bots, request, reply }: { bots: readonly Bot[]; request: FastifyRequest; reply: FastifyReply },
  ): Promise<BotFiles> {
    const id = bot === '' ? bots[0]?.id : bot;
    if (id === undefined) throw new WaymarkError('BOT_MISSING', 'This database has no bots yet: index a folder first.');
    // Searches are counted by bot, and logs name it.
    request.targetId = id;
    return inTime(reply, (signal) => host.bot(id, { signal }));
  }

  /** Ends work that only reads when its caller disconnects, or after the time for an answer. */
  function inTime<T>(reply: FastifyReply, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return abortOnDisconnect(work, { reply, timeout: settings.answerTimeout, changes: false });
  }
}
