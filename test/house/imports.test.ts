import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesIn } from './sources.js';

/** From the bottom up: a part may import itself and the levels below it, nothing beside or above. */
const LEVELS: readonly (readonly (readonly string[])[])[] = [
  [['domain', 'storage']],
  [['text']],
  [['formats']],
  [['contract']],
  [['vectors'], ['evaluation']],
  [['embed']],
  [['sqlite'], ['weaviate'], ['search'], ['accounts'], ['configuration']],
  [['indexing']],
  [['engine']],
  [['host']],
  [['event', 'client'], ['doctor'], ['copy']],
  [['index']],
  [['http']],
  [['cli']],
];

/** Packages with the only folder that may import them. */
const OWNERS: readonly (readonly [package_: RegExp, folder: string])[] = [
  [/^(unified|remark|mdast|hast|micromark|unist|stemmer|parse5|entities|jsonc-parser|mammoth|pdfjs-dist)/, 'formats'],
  [/^(@xenova\/transformers|onnxruntime-)/, 'embed'],
  [/^umap-js/, 'cli'],
  [/^zod/, 'domain'],
  [/^hnswlib-node/, 'vectors'],
  [/^chokidar/, 'indexing'],
  [/^better-sqlite3/, 'sqlite'],
  [/^weaviate-client/, 'weaviate'],
];

/** What `exports` of package.json name. */
const ENTRY_POINTS = ['src/index.js', 'src/evaluation/index.js', 'src/vectors/index.js'];

interface Import {
  /** Path of the importing file, from the root. */
  readonly from: string;
  /** The specifier. */
  readonly of: string;
}

/** Imports of all kinds: static, type-only, side effect, dynamic, CommonJS. */
const IMPORTS = /\bfrom '([^']+)'|\bimport '([^']+)'|\b(?:import|require)\('([^']+)'\)/g;

/** A file of a package that the package does not export, imported by its path. */
const INTERNAL = /^(?:\.\.\/)+node_modules\//;

function importsIn(folder: string): Import[] {
  return sourcesIn(folder).flatMap(({ file, text }) =>
    Array.from(text.matchAll(IMPORTS), (match) => ({
      from: file,
      of: (match[1] ?? match[2] ?? match[3] ?? '').replace(INTERNAL, ''),
    })),
  );
}

/** The file or folder directly under src/: `src/sqlite/files/files.ts` → `sqlite`, `src/index.ts` → `index`. */
function nameOf(file: string): string {
  return file.replace(/^src\//, '').replace(/[/.].*$/, '');
}

function targetOf({ from, of }: Import): string {
  return path.posix.join(path.posix.dirname(from), of);
}

/** The level of a name under src/, and its part of that level. */
function placeOf(name: string): { level: number; part: readonly string[] } {
  for (const [level, parts] of LEVELS.entries()) {
    const part = parts.find((names) => names.includes(name));
    if (part) return { level, part };
  }
  throw new Error(`src/${name} has no level: give it one in this test`);
}

function shown({ from, of }: Import): string {
  return `${from} imports ${of}`;
}

/** Import chains that end where they began, each found once. */
function cycles(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>();
  for (const one of imports) {
    const target = targetOf(one).replace(/\.js$/, '.ts');
    targets.set(one.from, [...(targets.get(one.from) ?? []), target]);
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, chain: readonly string[]): void => {
    const start = chain.indexOf(file);
    if (start >= 0) found.push([...chain.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...chain, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return found;
}

describe('imports', () => {
  const imports = importsIn('src');
  const own = imports.filter(({ of }) => of.startsWith('.'));
  const foreign = imports.filter(({ of }) => !of.startsWith('.'));

  it('form no cycle, type imports included', () => {
    expect(cycles(own)).toEqual([]);
  });

  it('point one way: down the levels, never across', () => {
    const wrong = own.filter((one) => {
      const from = placeOf(nameOf(one.from));
      const to = placeOf(nameOf(targetOf(one)));
      return to.level > from.level || (to.level === from.level && to.part !== from.part);
    });
    expect(own.length).toBeGreaterThan(100);
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of cli and http are their own files and the entry points; cli starts http, which has limits and zod', () => {
    const wrong = own.filter((one) => {
      const [from, target] = [nameOf(one.from), targetOf(one)];
      const allowed = from === 'cli' ? ['cli', 'http'] : ['http', 'contract'];
      const isShared = from === 'http' && /\bdomain\/(limits|excess|zod)\./.test(target);
      const isAllowed = ENTRY_POINTS.includes(target) || allowed.includes(nameOf(target)) || isShared;
      return (from === 'cli' || from === 'http') && !isAllowed;
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of bench are its own files and the entry points of the package', () => {
    const wrong = importsIn('bench').filter((one) =>
      one.of.startsWith('.')
        ? !targetOf(one).startsWith('bench/')
        : /^(#|waymark\/(?!(evaluation|vectors)$))/.test(one.of),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it.each(OWNERS)('of %s are in one folder', (package_, folder) => {
    const found = foreign.filter(({ of }) => package_.test(of));
    expect(found).not.toEqual([]);
    expect(found.filter(({ from }) => nameOf(from) !== folder).map(shown)).toEqual([]);
  });
});

it('process.env is read in cli/ and http/ only', () => {
  const reading = sourcesIn('src').filter(({ text }) => text.includes('process.env'));
  expect(reading.map(({ file }) => file).filter((file) => !/^src\/(cli|http)\//.test(file))).toEqual([]);
});
