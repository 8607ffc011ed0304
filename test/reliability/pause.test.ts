import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folderOf } from '../support/folder.js';
import { times } from './torture.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Indexes a file of many headings, and prints its warnings and the breadcrumb of its last passage. */
const PROGRAM = `
  import { createHashEmbedder, openEngine } from 'waymark';
  const engine = await openEngine({ database: process.argv[1], model: createHashEmbedder() });
  const sections = Array.from({ length: 4000 }, (_, i) => '# Heading ' + i + '\\n\\nA paragraph about yak' + i + '.');
  const indexing = engine.indexFile('a.md', sections.join('\\n\\n'));
  process.stdout.write('indexing\\n');
  const { warnings } = await indexing;
  const [hit] = await engine.search('yak3999', { mode: 'lexical' });
  process.stdout.write(JSON.stringify({ warnings, breadcrumb: hit?.passage.breadcrumb }));
  await engine.close();
`;

// Windows has no SIGSTOP.
test.skipIf(process.platform === 'win32')(
  'a file that is being parsed when the machine pauses is still indexed',
  async () => {
    const database = `${folderOf()}/waymark.db`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, database], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
    await once(child.stdout, 'data');
    // Stopped again and again, so that one pause is sure to meet the parser; each longer than its deadline in torture.
    for (let pause = 0; pause < times(3, 10) && child.exitCode === null; pause++) {
      child.kill('SIGSTOP');
      await delay(times(300, 12_000));
      child.kill('SIGCONT');
      await delay(200);
    }
    await ended;
    expect(printed.split('\n')).toEqual(['indexing', JSON.stringify({ warnings: [], breadcrumb: ['Heading 3999'] })]);
  },
);
