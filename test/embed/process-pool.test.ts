import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openEmbedder } from 'waymark';
import { mulberry32 } from 'waymark/evaluation';
import { ProcessPool } from '#src/embed/processes/process-pool.js';
import { childrenWith, listsChildren } from '../support/children.js';
import { folderOf } from '../support/folder.js';
import { runModule } from '../support/node.js';
import { until } from '../support/until.js';

/**
 * A pool whose processes log each text and return its length. A text with "crash" kills the process, one with "crash
 * once" only the first time. Texts with "held" are answered after one with "release". With `failsToStart`, processes
 * die before they have loaded the model; with `loadsOnce`, all but the first are still loading it, or, with
 * `othersFail`, cannot load it; with `loadsLast`, the first loads it after them.
 */
function poolOf({ size = 1, failsToStart = false, loadsOnce = false, othersFail = false, loadsLast = false } = {}): {
  pool: ProcessPool;
  log: () => string[];
} {
  const folder = folderOf({
    'program.mjs': `
      import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
      const log = new URL('./log', import.meta.url);
      const kill = () => process.kill(process.pid, 'SIGKILL');
      let isFirst = true;
      try { closeSync(openSync(log, 'wx')); } catch { isFirst = false; }
      const isLoading = ${loadsOnce} && !isFirst;
      if (${othersFail} && !isFirst) {
        appendFileSync(log, 'not loaded\\n');
        process.send({ unloadable: 'no memory' });
        await new Promise(() => {});
      }
      while (${loadsLast} && !readFileSync(log, 'utf8').includes('not loaded')) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      if (${failsToStart}) { appendFileSync(log, 'started\\n'); kill(); }
      process.on('disconnect', () => process.exit());
      const held = [];
      process.on('message', ({ id, text }) => {
        const before = readFileSync(log, 'utf8').split('\\n');
        appendFileSync(log, (isLoading ? 'while loading: ' : '') + text + '\\n');
        if (text.includes('crash once') ? !before.includes(text) : text.includes('crash')) kill();
        held.push({ id, tokens: text.length });
        if (text.includes('held')) return;
        for (const answer of held.splice(text.includes('release') ? 0 : -1)) process.send(answer);
      });
      if (!isLoading) process.send({ loaded: true });`,
  });
  const program = pathToFileURL(path.join(folder, 'program.mjs'));
  const pool = new ProcessPool({ folder: '/model', card: createHashEmbedder().card, fileState: '' }, { size, program });
  onTestFinished(() => pool.close());
  return { pool, log: () => readFileSync(path.join(folder, 'log'), 'utf8').split('\n').filter(Boolean) };
}

const tokens = (outcome: unknown) => (outcome as { tokens: number }).tokens;

test('the texts of a process that died are run again by another', async () => {
  const { pool, log } = poolOf();
  const texts = ['a', 'crash once', 'bb', 'ccc'];
  const outcomes = await Promise.all(texts.map((text) => pool.run('passage', text)));
  expect(outcomes.map(tokens)).toEqual([1, 10, 2, 3]);
  expect(log().filter((text) => text === 'crash once')).toHaveLength(2);
});

test('the passages of several owners are run in turns', async () => {
  const { pool, log } = poolOf();
  const run = (text: string) => pool.run('passage', text, { owner: text.charAt(0) });
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2'].map(run));
  // Two were sent to the process before the other owner came.
  expect(log()).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'a5']);
});

test('the texts of an owner that were in a process that died do not overtake those of another owner', async () => {
  const { pool, log } = poolOf();
  const run = (text: string) => pool.run('passage', text, { owner: text.charAt(0) });
  const outcomes = await Promise.all(['a1 crash once', 'a2', 'a3', 'a4', 'b1', 'b2'].map(run));
  expect(outcomes.map(tokens)).toEqual([13, 2, 2, 2, 2, 2]);
  expect(log()).toEqual(['a1 crash once', 'a1 crash once', 'b1', 'b2', 'a2', 'a3', 'a4']);
});

test('the queries of several owners are run in turns, and long ones are sent two at a time', async () => {
  const { pool, log } = poolOf();
  const run = (name: string) => pool.run('query', name.padEnd(1000, '.'), { owner: name.charAt(0) });
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2'].map(run));
  expect(log().map((text) => text.slice(0, 2))).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'a5']);
});

test('a query is sent to a process that has as many passages as it takes', async () => {
  const { pool, log } = poolOf();
  const passages = ['held 1', 'held 2'].map((name) => pool.run('passage', name.padEnd(900, '.')));
  await Promise.all([...passages, pool.run('query', 'release')]);
  expect(log().map((text) => text.slice(0, 7))).toEqual(['held 1.', 'held 2.', 'release']);
});

test('no text is sent to a process that is loading the model while another has loaded it', async () => {
  const { pool, log } = poolOf({ size: 2, loadsOnce: true });
  await pool.run('query', 'first');
  const passages = ['held 1', 'held 2', 'held 3'].map((name) => pool.run('passage', name));
  await pool.run('query', 'release');
  await pool.run('query', 'release again');
  expect(log()).toEqual(['first', 'held 1', 'held 2', 'release', 'held 3', 'release again']);
  await Promise.all(passages);
});

test('texts that wait are run by a process that works if another cannot load the model', async () => {
  const { pool, log } = poolOf({ size: 2, othersFail: true });
  await pool.run('query', 'first');
  const passages = ['held 1', 'held 2', 'held 3', 'four'].map((name) => pool.run('passage', name));
  const outcomes = Promise.all([...passages, pool.run('query', 'held query')]);
  await until(() => log().includes('not loaded'));
  await pool.run('query', 'release');
  await pool.run('query', 'release again');
  expect((await outcomes).map(tokens)).toEqual([6, 6, 6, 4, 10]);
});

test('texts wait for a process that still loads the model if another cannot load it', async () => {
  const { pool, log } = poolOf({ size: 2, othersFail: true, loadsLast: true });
  const outcomes = await Promise.all(['a', 'bb', 'ccc', 'dddd', 'eeeee'].map((name) => pool.run('passage', name)));
  expect(outcomes.map(tokens)).toEqual([1, 2, 3, 4, 5]);
  // No other process is started while this one works.
  await Promise.all(['f', 'g'].map((name) => pool.run('query', name)));
  expect(log().filter((line) => line === 'not loaded')).toHaveLength(1);
});

test('a text that always kills its process is an error that quotes it, and no other text fails', async () => {
  const { pool, log } = poolOf({ size: 2 });
  const texts = ['a', 'bb', 'crash now', 'ccc', 'dddd', 'eeeee'];
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
        'The model in /model crashed 3 times on the text "crash now" (its process ended with SIGKILL): ' +
        'remove the text, or choose another model.',
      cause: expect.any(Error),
    },
  });
  expect(log().filter((text) => text === 'crash now')).toHaveLength(3);
});

test('a query that always kills its process is an error, and the next query succeeds', async () => {
  const { pool } = poolOf();
  await expect(pool.run('query', 'crash')).rejects.toMatchObject({ code: 'EMBEDDER_FAILED' });
  expect(tokens(await pool.run('query', 'four'))).toBe(4);
});

test('after three processes that died before loading the model, every waiting text is an error', async () => {
  const { pool, log } = poolOf({ failsToStart: true });
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map((text) => pool.run('passage', text)));
  const message =
    'The model in /model could not be run (its process ended with SIGKILL): ' +
    "check its files and the system's limits on processes, or choose another model.";
  const failed = { status: 'rejected', reason: expect.objectContaining({ code: 'EMBEDDER_FAILED', message }) };
  expect(outcomes).toEqual(Array(4).fill(failed));
  expect(log()).toEqual(['started', 'started', 'started']);
});

test.skipIf(!listsChildren)('killing embedding processes at random changes no embedding', async () => {
  const texts = Array.from(
    { length: 60 },
    (_, i) => `Text number ${i}: ${'the pump restarts the valve '.repeat(i % 7)}`,
  );
  const { embedder } = await openEmbedder(undefined, { processes: 2 });
  onTestFinished(() => embedder.close());
  const expected = await embedder.embedPassages(texts);
  const random = mulberry32(11);
  const killed = new Set<number>();
  const embeddings = await Promise.all(
    texts.map(async (text, i) => {
      const [embedding] = await embedder.embedPassages([text]);
      // After every fifteenth text, kills a process that is embedding another one.
      if (i % 15 === 7) {
        const running = childrenWith('embed-process');
        const victim = running[Math.floor(random() * running.length)];
        if (victim !== undefined && process.kill(victim, 'SIGKILL')) killed.add(victim);
      }
      return embedding;
    }),
  );
  expect(killed.size).toBeGreaterThanOrEqual(2);
  expect(embeddings).toEqual(expected);
});

/** Kills an embedding process while the system allows no other, which Node reports by throwing. */
const SHORT_OF_MEMORY = `
  import processes from 'node:child_process';
  import { once } from 'node:events';
  import { syncBuiltinESMExports } from 'node:module';

  const { fork } = processes;
  let started;
  let isShort = false;
  processes.fork = (...given) => {
    if (isShort) throw new Error('spawn ENOMEM');
    started = fork(...given);
    return started;
  };
  syncBuiltinESMExports();
  const { openEmbedder } = await import('waymark');
  const { embedder } = await openEmbedder(undefined, { processes: 1 });
  await embedder.embedQuery('warm');
  isShort = true;
  // So that it cannot answer before it is killed.
  started.kill('SIGSTOP');
  const refused = Promise.allSettled(['a', 'b'].map((text) => embedder.embedPassages([text])));
  started.kill('SIGKILL');
  const told = (await refused).map(({ reason }) => reason.message);
  isShort = false;
  told.push((await embedder.embedQuery('next')).length);
  await embedder.close();
  console.log(JSON.stringify(told));`;

test('if no process can be started again, the texts that wait are errors, and the next one succeeds', async () => {
  const { stdout, stderr } = await runModule(SHORT_OF_MEMORY, []);
  expect(stderr).toBe('');
  const message = expect.stringMatching(/ could not be run \(spawn ENOMEM\): check its files and the system's limits/);
  expect(JSON.parse(stdout)).toEqual([message, message, 384]);
});
