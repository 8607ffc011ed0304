import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openEmbedder } from 'waymark';
import { ProcessPool } from '#src/embed/process-pool.js';
import { folderOf } from '../support/folder.js';
import { seeded } from '../vectors/seeded.js';

/**
 * A pool whose processes answer with the number of their text's characters and add a line to a log for each job; "end"
 * in a text ends them, "end once" only where the log has that job for the first time, and `never` before they have begun.
 */
function poolOf({ size = 1, never = false } = {}): { pool: ProcessPool; log: () => string[] } {
  const folder = folderOf({
    'program.mjs': `
      import { appendFileSync, existsSync, readFileSync } from 'node:fs';
      const log = new URL('./log', import.meta.url);
      const kill = () => process.kill(process.pid, 'SIGKILL');
      appendFileSync(log, '');
      if (${never}) { appendFileSync(log, 'began\\n'); kill(); }
      process.on('disconnect', () => process.exit());
      process.on('message', ({ id, text }) => {
        const before = readFileSync(log, 'utf8').split('\\n');
        appendFileSync(log, text + '\\n');
        if (text.includes('end once') ? !before.includes(text) : text.includes('end')) kill();
        process.send({ id, tokens: text.length });
      });
      process.send({ loaded: true });`,
  });
  const program = pathToFileURL(path.join(folder, 'program.mjs'));
  const pool = new ProcessPool({ folder: 'the folder', card: createHashEmbedder().card, state: '' }, { size, program });
  onTestFinished(() => pool.close());
  return { pool, log: () => readFileSync(path.join(folder, 'log'), 'utf8').split('\n').filter(Boolean) };
}

const tokens = (outcome: unknown) => (outcome as { tokens: number }).tokens;

test('the texts of a process that ended are done again by another', async () => {
  const { pool, log } = poolOf();
  const texts = ['a', 'end once', 'bb', 'ccc'];
  const outcomes = await Promise.all(texts.map((text) => pool.run('passage', text)));
  expect(outcomes.map(tokens)).toEqual([1, 8, 2, 3]);
  expect(log().filter((text) => text === 'end once')).toHaveLength(2);
});

test('a text that ends its process each time is an error that names it, and takes no other with it', async () => {
  const { pool, log } = poolOf({ size: 2 });
  const texts = ['a', 'bb', 'end of it', 'ccc', 'dddd', 'eeeee'];
  const outcomes = await Promise.allSettled(texts.map((text) => pool.run('passage', text)));
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(outcomes[2]).toMatchObject({
    reason: {
      code: 'EMBEDDER_FAILED',
      message:
        'The model in the folder ended 3 times over the text "end of it" (its process ended with SIGKILL): take the text out, or choose another model.',
      cause: expect.any(Error),
    },
  });
  expect(log().filter((text) => text === 'end of it')).toHaveLength(3);
});

test('a query that ends its process each time is an error, and the next one is answered', async () => {
  const { pool } = poolOf();
  await expect(pool.run('query', 'end')).rejects.toMatchObject({ code: 'EMBEDDER_FAILED' });
  expect(tokens(await pool.run('query', 'four'))).toBe(4);
});

test('a process that always ends before the model is loaded is an error for all that waits, after three', async () => {
  const { pool, log } = poolOf({ never: true });
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map((text) => pool.run('passage', text)));
  const message =
    'The model in the folder could not be run (its process ended with SIGKILL): check its files and what the system lets processes use, or choose another model.';
  const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'EMBEDDER_FAILED', message }) };
  expect(outcomes).toEqual(Array(4).fill(refused));
  expect(log()).toEqual(['began', 'began', 'began']);
});

/** Processes of ours that run the model. */
function children(): number[] {
  return readdirSync('/proc/self/task').flatMap((thread) => {
    const pids = readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean);
    return pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('embed-process')).map(Number);
  });
}

test.skipIf(!existsSync('/proc/self/task'))('embedding processes killed at random change no embedding', async () => {
  const texts = Array.from(
    { length: 60 },
    (_, i) => `Text number ${i}: ${'the pump restarts the valve '.repeat(i % 7)}`,
  );
  const { embedder } = await openEmbedder(undefined, { processes: 2 });
  onTestFinished(() => embedder.close());
  const expected = await embedder.embedPassages(texts);
  const next = seeded(11);
  const seen = new Set<number>();
  const embeddings = await Promise.all(
    texts.map(async (text, i) => {
      const [embedding] = await embedder.embedPassages([text]);
      // After some of the texts one of the processes is killed, in the middle of its next.
      if (i % 15 === 7) {
        const running = children();
        const victim = running[Math.floor(next() * running.length)];
        if (victim !== undefined && process.kill(victim, 'SIGKILL')) seen.add(victim);
      }
      return embedding;
    }),
  );
  expect(seen.size).toBeGreaterThanOrEqual(2);
  expect(embeddings).toEqual(expected);
});
