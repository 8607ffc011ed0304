import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folderOf } from '../support/folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENTS = ['README.md', 'docs/library.md', 'docs/api.md'];

/** What snippets take from the reader's own program. */
const SURROUNDINGS = `
declare const engine: import('waymark').SearchEngine;
declare const [token, workspaceId, botId, text, query]: readonly [string, string, string, string, string];
`;

const OPTIONS = {
  module: 'nodenext',
  target: 'es2023',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [path.join(ROOT, 'node_modules/@types')],
  paths: {
    waymark: [path.join(ROOT, 'dist/index.d.ts')],
    'waymark/*': [path.join(ROOT, 'dist/*/index.d.ts')],
    '@botpress/client': [path.join(ROOT, 'node_modules/@botpress/client/dist/index.d.ts')],
  },
};

function snippetsOf(document: string): [file: string, code: string][] {
  const text = readFileSync(path.join(ROOT, document), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)];
  return blocks.map(([block, code = ''], i) => {
    const line = text.slice(0, text.indexOf(block)).split('\n').length;
    return [`${document.replaceAll('/', '-')}-line-${line}-${i}.ts`, code];
  });
}

test('the snippets of the documents compile against the package', () => {
  const snippets = DOCUMENTS.flatMap(snippetsOf);
  expect(snippets.length).toBeGreaterThan(10);
  const folder = folderOf({
    ...Object.fromEntries(snippets),
    'surroundings.d.ts': SURROUNDINGS,
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS, include: ['*.ts'] }),
  });
  let errors = '';
  try {
    execFileSync(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  } catch (error) {
    errors = String((error as { stdout?: unknown }).stdout);
  }
  expect(errors).toBe('');
});
