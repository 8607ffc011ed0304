import path from 'node:path';
import { expect, it } from 'vitest';
import { sourcesIn } from './sources.js';

const texts = new Map(sourcesIn('src').map(({ file, text }) => [file, text]));

/** Imports that run before the file itself does: neither `import type`, nor `import()`. */
const STATIC = /^(?:import|export) (?!type )[^;']*'([^']+)';$/gm;

/** Every file and package that is loaded with a file. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  seen.add(file);
  for (const [, of = ''] of texts.get(file)?.matchAll(STATIC) ?? []) {
    const target = of.startsWith('.') ? path.posix.join(path.posix.dirname(file), of).replace(/\.js$/, '.ts') : of;
    if (!seen.has(target)) loadedWith(target, seen);
  }
  return seen;
}

it('waymark --help and --version load the commands and commander, not the actions and what they need', () => {
  const loaded = [...loadedWith('src/cli/main.ts'), ...loadedWith('src/cli/program.ts')];
  expect(loaded).toContain('src/cli/commands/search.ts');
  expect(
    loaded.filter((file) => !/^(node:|commander$|src\/cli\/((commands|output)\/([\w-]+\/)?)?[\w-]+\.ts$)/.test(file)),
  ).toEqual([]);
});

it('the library is loaded without what reads a cluster', () => {
  expect([...loadedWith('src/index.ts')].filter((file) => file.startsWith('src/weaviate/'))).toEqual([]);
});

it('the library is loaded without what renders HTML', () => {
  expect([...loadedWith('src/index.ts')].filter((file) => /^src\/formats\/rendering\/|^hast/.test(file))).toEqual([]);
});

it('an embedding process loads the model runtime and the tokenizer, not what checks the files of a model', () => {
  const packages = [...loadedWith('src/embed/processes/embed-process.ts')].filter((file) => !file.endsWith('.ts'));
  expect(packages.filter((name) => !name.startsWith('node:'))).toEqual(['onnxruntime-node']);
});
