import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** From the bottom up: a part imports itself and the levels below it, nothing beside or above it. */
const LEVELS: readonly (readonly (readonly string[])[])[] = [
  [['domain', 'storage', 'contract']],
  [['text']],
  [['formats'], ['embed'], ['vectors'], ['evaluation']],
  [['sqlite'], ['search']],
  [['indexing']],
  [['engine']],
  [['host']],
  [['event', 'client'], ['doctor']],
  [['index']],
  [['http']],
  [['cli']],
];

/** Packages, and the one folder that may import them. */
const OWNERS: readonly (readonly [package_: RegExp, folder: string])[] = [
  [/^(unified|remark|mdast|micromark|unist)/, 'formats'],
  [/^(@xenova\/transformers|onnxruntime-)/, 'embed'],
  [/^hnswlib-node/, 'vectors'],
  [/^better-sqlite3/, 'sqlite'],
];

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Import {
  readonly from: string;
  readonly of: string;
}

/** Imports of all kinds: static, of types, for effect, dynamic, required. */
const IMPORTS = /\bfrom '([^']+)'|\bimport '([^']+)'|\b(?:import|require)\('([^']+)'\)/g;

function importsIn(folder: string): Import[] {
  return sourcesIn(folder).flatMap(({ file, text }) =>
    Array.from(text.matchAll(IMPORTS), (match) => ({ from: file, of: match[1] ?? match[2] ?? match[3] ?? '' })),
  );
}

function sourcesIn(folder: string): { file: string; text: string }[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({
      file: `${folder}/${file.split(path.sep).join('/')}`,
      text: readFileSync(path.join(ROOT, folder, file), 'utf8'),
    }));
}

/** The file or folder under src/ that a path is in: `src/sqlite/files/files.ts` → `sqlite`, `src/index.ts` → `index`. */
function nameOf(file: string): string {
  return file.replace(/^src\//, '').replace(/[/.].*$/, '');
}

function targetOf({ from, of }: Import): string {
  return path.posix.join(path.posix.dirname(from), of);
}

/** Level, and part of the level, of a name under src/. */
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

describe('imports', () => {
  const imports = importsIn('src');
  const own = imports.filter(({ of }) => of.startsWith('.'));
  const foreign = imports.filter(({ of }) => !of.startsWith('.'));

  it('point one way: down the levels, never across', () => {
    const wrong = own.filter((one) => {
      const from = placeOf(nameOf(one.from));
      const to = placeOf(nameOf(targetOf(one)));
      return to.level > from.level || (to.level === from.level && to.part !== from.part);
    });
    expect(own.length).toBeGreaterThan(100);
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of cli and http are their own files and what src/index.ts exports; cli starts the service', () => {
    const wrong = own.filter((one) => {
      const [from, to] = [nameOf(one.from), nameOf(targetOf(one))];
      const own = from === 'cli' ? ['cli', 'http', 'index'] : ['http', 'index'];
      return (from === 'cli' || from === 'http') && !own.includes(to);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of bench are its own files and what the package exports', () => {
    const wrong = importsIn('bench').filter((one) =>
      one.of.startsWith('.') ? !targetOf(one).startsWith('bench/') : /^(#|waymark\/)/.test(one.of),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it.each(OWNERS)('of %s stand in one folder', (package_, folder) => {
    const found = foreign.filter(({ of }) => package_.test(of));
    expect(found).not.toEqual([]);
    expect(found.filter(({ from }) => nameOf(from) !== folder).map(shown)).toEqual([]);
  });
});

it('process.env is read in cli/ and http/ only', () => {
  const reading = sourcesIn('src').filter(({ text }) => text.includes('process.env'));
  expect(reading.map(({ file }) => file).filter((file) => !/^src\/(cli|http)\//.test(file))).toEqual([]);
});
