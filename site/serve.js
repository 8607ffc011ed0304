/** Serves the built site, and answers its search field with Waymark: `npm start`. */

import { createServer } from 'node:http';
import path from 'node:path';
import { slug } from 'github-slugger';
import sirv from 'sirv';
import { openEngine, shownHtml, shownText, WaymarkError } from '../dist/index.js';
import { IGNORE, ROOT } from './documents.js';

const HOST = '127.0.0.1';
const PORT = Number(process.env.PORT ?? 7340);

const engine = await openEngine({ database: path.join(ROOT, 'site/.waymark/waymark.db') });
await engine.indexFolder(ROOT, { ignore: IGNORE });
const pages = sirv(path.join(ROOT, 'site/dist'));

const server = createServer(async (request, response) => {
  const [, pathname, query] = /^([^?]*)\??(.*)$/s.exec(request.url);
  if (pathname !== '/search') return pages(request, response);
  const { status, body } = await answer(new URLSearchParams(query).get('query') ?? '');
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
server.listen(PORT, HOST, () => console.log(`http://${HOST}:${server.address().port}/`));

async function answer(query) {
  try {
    const hits = await engine.search(query, { limit: 5 });
    return { status: 200, body: { results: await Promise.all(hits.map((hit) => result(query, hit))) } };
  } catch (error) {
    if (error instanceof WaymarkError && error.code === 'INVALID_ARGUMENT') {
      return { status: 400, body: { message: error.message } };
    }
    console.error(error);
    return { status: 500, body: { message: 'The search failed: the log of the server has the cause.' } };
  }
}

/** A hit with the address of its heading, and with its text as safe HTML. */
async function result(query, { file, passage }) {
  const { display, breadcrumb } = passage;
  const text = await shownText(display);
  const highlight = await engine.highlight(query, text);
  return { page: pageOf(file.key, breadcrumb), breadcrumb, html: await shownHtml(text, { query, highlight }) };
}

function pageOf(key, breadcrumb) {
  const page = `/${key.replace(/^README\.md$/, 'index.md').replace(/\.md$/, '.html')}`;
  return breadcrumb.length > 1 ? `${page}#${slug(breadcrumb.at(-1))}` : page;
}
