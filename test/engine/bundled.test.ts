import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Format } from 'esbuild';
import { expect, it } from 'vitest';
import { folderOf } from '../support/folder.js';

const INDEX = fileURLToPath(new URL('../../dist/index.js', import.meta.url));

const PROGRAM = `
  import { createClient, openEngine } from ${JSON.stringify(INDEX)};
  const client = createClient({ apiUrl: 'http://127.0.0.1:7333', token: 'a', botId: 'b' });
  openEngine({ database: 'a.db' }).catch(({ code, message }) => console.log(typeof client, code, message));
`;

/** What a program in a bundle prints. */
async function printed(format: Format): Promise<string> {
  const folder = folderOf({ 'program.js': PROGRAM });
  const outfile = path.join(folder, format === 'esm' ? 'bundle.mjs' : 'bundle.cjs');
  const entryPoints = [path.join(folder, 'program.js')];
  await build({ entryPoints, outfile, format, bundle: true, platform: 'node', logLevel: 'silent' });
  const { stdout, stderr } = spawnSync(process.execPath, [outfile], { cwd: folder, encoding: 'utf8' });
  return stdout + stderr;
}

const SENTENCE =
  "Waymark does not run in a bundle: make the package external (esbuild: --external:waymark, Vite: ssr.external, Next: serverExternalPackages: ['waymark']).";

it('an engine in a bundle says how to keep it out of the bundle; a client works in it', async () => {
  expect(await printed('esm')).toBe(`object PACKAGE_BUNDLED ${SENTENCE}\n`);
});

it('a CommonJS bundle says so while it loads', async () => {
  expect(await printed('cjs')).toContain(SENTENCE);
});
