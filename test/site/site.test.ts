import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILT = path.join(ROOT, 'site/dist');

function namesIn(folder: string, ending: string): string[] {
  const names = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).map((name) => path.posix.join(folder, name));
}

test('every document is in the navigation of the site, decisions by their list', async () => {
  const { GROUPS } = await import(path.join(ROOT, 'site/documents.js'));
  const listed = Object.values<string[]>(GROUPS).flat().sort();
  const top = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const documents = namesIn('docs', '.md').filter((file) => !/^docs\/decisions\/\d/.test(file));
  const others = ['examples/bot/README.md', 'site/api/index.md'];
  expect(listed).toEqual([...top, ...documents, ...others].sort());
});

/** `npm run site` makes it; .ci/run does so before the tests. */
describe.skipIf(!existsSync(BUILT))('the built site', () => {
  test('no link between its pages is dead', () => {
    const files = namesIn('site/dist', '.html');
    const links = files.flatMap((page) => linksOf(page).map((link) => ({ page, ...link })));
    expect(links.length).toBeGreaterThan(1000);
    expect(links.filter((link) => !isThere(link))).toEqual([]);
  });

  test('its server answers a search with the page and heading of the passage, and with what is wrong', async () => {
    const url = await served();
    const search = (query: string) => fetch(`${url}search?${new URLSearchParams({ query })}`);
    const { results } = (await (await search('Can several processes open the same database?')).json()) as Found;
    expect(results[0]).toMatchObject({
      page: '/docs/operations.html#several-processes',
      breadcrumb: ['Operations', 'Several processes'],
      html: expect.stringContaining('<mark>'),
    });
    expect((await fetch(new URL(results[0]?.page ?? '', url))).status).toBe(200);
    // An address that is no URL.
    expect((await fetch(`${url}/`)).status).toBe(404);
    const refused = await search('');
    expect([refused.status, await refused.json()]).toEqual([400, { message: expect.stringContaining('query') }]);
  });
});

interface Found {
  readonly results: readonly { readonly page: string }[];
}

/** Starts the server of the site, and returns its address. */
async function served(): Promise<string> {
  const server = spawn(process.execPath, ['site/serve.js'], { cwd: ROOT, env: { ...process.env, PORT: '0' } });
  onTestFinished(() => void server.kill());
  const [address] = await Promise.race([once(server.stdout, 'data'), once(server, 'exit')]);
  return String(address).trim();
}

interface Link {
  readonly file: string;
  readonly anchor: string;
}

/** Links of a page to pages of the site. */
function linksOf(page: string): Link[] {
  const base = `http://site/${path.posix.relative('site/dist', page)}`;
  const urls = [...htmlOf(page).matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, url = '']) => new URL(url, base));
  return urls
    .filter(({ host }) => host === 'site')
    .map(({ pathname, hash }) => ({ file: fileOf(decodeURI(pathname)), anchor: decodeURIComponent(hash.slice(1)) }));
}

/** The file that a server sends for the path of a URL. */
function fileOf(pathname: string): string {
  const file = path.posix.join('site/dist', pathname.replace(/\/$/, '/index.html'));
  return path.posix.extname(file) === '' ? `${file}.html` : file;
}

function isThere({ file, anchor }: Link): boolean {
  return existsSync(path.join(ROOT, file)) && (anchor === '' || htmlOf(file).includes(`id="${anchor}"`));
}

const pages = new Map<string, string>();

function htmlOf(page: string): string {
  const html = pages.get(page) ?? readFileSync(path.join(ROOT, page), 'utf8');
  pages.set(page, html);
  return html;
}
