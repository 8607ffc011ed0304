import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const ENTRIES = ['index.d.ts', 'evaluation/index.d.ts', 'vectors/index.d.ts'];

/** Arrays and buffers are generic since TypeScript 5.7. */
const GENERIC = /\b(?:Buffer|ArrayBufferView|DataView|(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array)</;

/** A declaration file and those that it imports. */
function withImports(file: string, seen = new Set<string>()): Set<string> {
  seen.add(file);
  for (const [, of = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g)) {
    const target = path.join(path.dirname(file), `${of}.d.ts`);
    if (!seen.has(target)) withImports(target, seen);
  }
  return seen;
}

test('the declarations of the package compile with TypeScript 5.4, whose arrays and buffers are not generic', () => {
  const files = [...new Set(ENTRIES.flatMap((entry) => [...withImports(path.join(DIST, entry))]))];
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => GENERIC.test(readFileSync(file, 'utf8')))).toEqual([]);
});
