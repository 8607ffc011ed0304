import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import type { Nodes, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { sourcesIn } from './sources.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders whose markdown documents the project; `corpus/` documents an invented product. */
const FOLDERS = ['docs', 'examples', 'bench', 'models'];

const markdown = unified().use(remarkParse).use(remarkGfm);

/** A link of a document to a file of the repository. */
interface Link {
  readonly from: string;
  /** Relative to the root, with forward slashes. */
  readonly file: string;
  /** The fragment behind `#`; empty where there is none. */
  readonly anchor: string;
}

function documents(): string[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => path.posix.join(folder, name.split(path.sep).join('/'))),
  );
  return [...top, ...below];
}

const trees = new Map<string, Root>();

function treeOf(file: string): Root {
  const tree = trees.get(file) ?? markdown.parse(readFileSync(path.join(ROOT, file)));
  trees.set(file, tree);
  return tree;
}

function* nodesOf(node: Nodes): Generator<Nodes> {
  yield node;
  if ('children' in node) for (const child of node.children) yield* nodesOf(child);
}

function linksOf(from: string): Link[] {
  const urls = [...nodesOf(treeOf(from))].flatMap((node) =>
    node.type === 'link' || node.type === 'image' || node.type === 'definition' ? [node.url] : [],
  );
  return urls
    .filter((url) => !/^[a-z]+:/i.test(url))
    .map((url) => {
      const [target = '', anchor = ''] = decodeURI(url).split('#');
      const file = target === '' ? from : path.posix.join(path.posix.dirname(from), target);
      return { from, file, anchor };
    });
}

/** Anchors of a document's headings, as GitHub names them. */
function anchorsOf(file: string): Set<string> {
  const slugger = new GithubSlugger();
  const headings = [...nodesOf(treeOf(file))].filter((node) => node.type === 'heading');
  return new Set(headings.map((heading) => slugger.slug(textOf(heading))));
}

function textOf(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

function shown({ from, file, anchor }: Link): string {
  return `${from} links to ${file}${anchor && `#${anchor}`}`;
}

const links = documents().flatMap(linksOf);

test('no link of a document is dead', () => {
  const dead = links.filter(({ file, anchor }) => {
    if (!existsSync(path.join(ROOT, file))) return true;
    return anchor !== '' && !(file.endsWith('.md') && anchorsOf(file).has(anchor));
  });
  expect(links.length).toBeGreaterThan(100);
  expect(dead.map(shown)).toEqual([]);
});

test('what a packed document links to is packed too', () => {
  const json = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const [{ files }] = JSON.parse(json) as [{ files: { path: string }[] }];
  const packed = files.map((file) => file.path);
  const isPacked = (target: string) => packed.some((file) => file === target || file.startsWith(`${target}/`));
  expect(packed).toContain('README.md');
  const dead = links.filter(({ from, file }) => isPacked(from) && !isPacked(file));
  expect(dead.map(shown)).toEqual([]);
});

test('tests that a document names by their path exist', () => {
  const named = documents().flatMap((from) =>
    [...nodesOf(treeOf(from))]
      .flatMap((node) => (node.type === 'inlineCode' ? [...node.value.matchAll(/\btest\/[\w/.-]+\.test\.ts\b/g)] : []))
      .map(([file]) => ({ from, file, anchor: '' })),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ file }) => !existsSync(path.join(ROOT, file))).map(shown)).toEqual([]);
});

// VitePress, which builds the site, takes such a line for a block of HTML.
test('no code span goes on in a line that begins with a placeholder in angle brackets', () => {
  const placeholder = /^[ \t>]*<[\w-]+>/;
  const inside = documents().flatMap((file) => {
    const lines = readFileSync(path.join(ROOT, file), 'utf8').split('\n');
    return [...nodesOf(treeOf(file))]
      .filter((node) => node.type === 'inlineCode')
      .flatMap(({ position }) => lines.slice(position?.start.line, position?.end.line))
      .filter((line) => placeholder.test(line))
      .map((line) => `${file}: ${line}`);
  });
  expect(inside).toEqual([]);
});

test('every decision record is listed in the index', () => {
  const folder = 'docs/decisions';
  const records = readdirSync(path.join(ROOT, folder)).filter((name) => /^\d{3}-.+\.md$/.test(name));
  const listed = linksOf(`${folder}/README.md`).map(({ file }) => path.posix.basename(file));
  expect(records.length).toBeGreaterThan(30);
  expect(records.filter((name) => !listed.includes(name))).toEqual([]);
});

/** A path from the root, as a comment names a file. */
const NAMED = /(?<![\w./-])(?:src|test|bench|scripts)\/[\w./-]+\.(?:ts|js|wat)\b/g;

test('the files that comments name exist', () => {
  const named = ['src', 'test', 'bench', 'scripts'].flatMap(sourcesIn).flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line))
      .flatMap((line) => line.match(NAMED) ?? [])
      .map((name) => ({ file, name })),
  );
  const missing = named.filter(({ name }) => !existsSync(path.join(ROOT, name)));
  expect(named.length).toBeGreaterThan(0);
  expect(missing.map(({ file, name }) => `${file} names ${name}`)).toEqual([]);
});
