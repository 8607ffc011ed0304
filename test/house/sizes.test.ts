import path from 'node:path';
import { expect, it } from 'vitest';
import { type Source, sourcesIn } from './sources.js';

const COLUMNS = 120;
const LINES = 300;
const FILES = 15;

/** Data that no line break would make easier to read: compiled WebAssembly, and texts that a model embeds. */
const DATA = ['src/vectors/exact/kernels/dot.ts', 'src/vectors/exact/kernels/int8.ts', 'src/embed/reference-pairs.ts'];

/** In tests: a string or regular expression that is expected literally, on a line with at most a property's name. */
const EXPECTED = /^\s*(\w+: )?(?<quote>['"`]|\/(?![*/])).*\k<quote>[a-z]*[,;)]*$/;

const src = sourcesIn('src');
const bench = sourcesIn('bench');
const test = sourcesIn('test');

function longLines({ file, text }: Source): string[] {
  if (DATA.includes(file)) return [];
  return text.split('\n').flatMap((line, i) => {
    if (line.length <= COLUMNS) return [];
    if (file.startsWith('test/') && EXPECTED.test(line)) return [];
    return [`${file}:${i + 1} has ${line.length} columns`];
  });
}

it(`no line of src, bench and test is longer than ${COLUMNS} columns`, () => {
  expect([...src, ...bench, ...test].flatMap(longLines)).toEqual([]);
});

it(`no file of src and bench is longer than ${LINES} lines`, () => {
  const lengths = [...src, ...bench].map(({ file, text }) => ({ file, lines: text.trimEnd().split('\n').length }));
  const long = lengths.filter(({ lines }) => lines > LINES);
  expect(long.map(({ file, lines }) => `${file} has ${lines} lines`)).toEqual([]);
});

it(`no folder of src has more than ${FILES} files`, () => {
  const files = new Map<string, number>();
  for (const { file } of src) {
    const folder = path.posix.dirname(file);
    files.set(folder, (files.get(folder) ?? 0) + 1);
  }
  const crowded = [...files].filter(([, count]) => count > FILES);
  expect(crowded.map(([folder, count]) => `${folder} has ${count} files`)).toEqual([]);
});
