import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { waymark } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { inconsistencies } from './consistency.js';
import { TORTURE, tell, times } from './torture.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Steps of each writer while the readers search; the long form runs for more than a minute. */
const STEPS = times(30, 1500);

const QUERIES = [
  'pump',
  'the valve of the lamp',
  'beacon',
  'section 2 of given',
  'folder motor',
  'w0 w1',
  'closes slowly',
];

/**
 * Shared by all processes. Every passage contains the marker of its file and version, which reveals a mixture of two
 * versions. `answers` returns the final state that a process sees, without ids and times.
 */
const COMMON = `
  import fs from 'node:fs';
  import path from 'node:path';
  import { createHashEmbedder, openEngine } from 'waymark';

  const { database, folder, name, index, steps, queries, pausing } = JSON.parse(process.argv[1]);
  const engine = await openEngine({ database, model: createHashEmbedder(), index, passageTokens: 40 });
  const answers = async () => {
    const all = [];
    for (const query of queries) {
      for (const options of [{ limit: 50 }, { limit: 50, consolidate: true }]) {
        const { passages } = await engine.searchFiles({ query, ...options });
        all.push(passages.map(({ content, score, meta, file: { key } }) => ({ content, score, meta, key })));
      }
    }
    return all;
  };
  const end = async () => {
    const found = await answers();
    // Disconnecting drops what is not sent yet.
    await new Promise((sent) => process.send({ answers: found }, sent));
    await engine.close();
    process.disconnect();
  };
  const fail = (error) => {
    process.send({ failed: error.stack ?? String(error) }, () => process.exit());
  };`;

const WRITER = `${COMMON}
  let seed = name === 'w0' ? 1 : 2;
  const below = (limit) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  const words = 'pump valve lamp door motor relay sensor cable fuse switch heater fan'.split(' ');
  const textOf = (key, version) => {
    const marker = 'MARK<' + key + '@' + version + '>';
    const sections = Array.from({ length: 3 + (version % 3) }, (_, i) =>
      ['## Section', i, marker + '\\n\\nThe', words[(i + version) % words.length], 'of', key, 'closes slowly.', marker]
        .join(' '));
    const about = 'About the ' + key.replace('.md', '') + '. ' + marker;
    return ['# ' + key.replaceAll('-', ' ') + ' ' + marker, about, ...sections].join('\\n\\n');
  };
  let busy = 0;
  const insist = async (work) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (error.code !== 'BUSY') throw error;
        busy += 1;
      }
    }
  };
  const acknowledge = (files) => process.send({ files });
  const step = async (i) => {
    const kind = below(10);
    if (kind < 3) {
      const key = name + '-beacon.md';
      const text = textOf(key, i);
      await insist(() => engine.indexFile(key, text));
      acknowledge({ [key]: text });
      process.send({ beacon: key, version: i });
    } else if (kind < 7) {
      const key = name + '-given-' + below(5) + '.md';
      const text = textOf(key, i);
      await insist(() => engine.indexFile(key, text));
      acknowledge({ [key]: text });
    } else if (kind < 8) {
      const key = name + '-given-' + below(5) + '.md';
      await insist(() => engine.removeFile(key));
      acknowledge({ [key]: null });
    } else {
      const files = {};
      for (let n = 0; n < 3; n++) {
        const key = name + '-folder-' + below(5) + '.md';
        const gone = below(4) === 0;
        files[key] = gone ? null : textOf(key, i);
        if (gone) fs.rmSync(path.join(folder, key), { force: true });
        else fs.writeFileSync(path.join(folder, key), files[key]);
      }
      const { failed } = await insist(() => engine.indexFolder(folder));
      if (failed.length > 0) throw new Error(JSON.stringify(failed));
      acknowledge(files);
    }
  };
  process.on('message', () => end().catch(fail));
  try {
    fs.mkdirSync(folder, { recursive: true });
    for (let i = 1; i <= steps; i++) await step(i);
    process.send({ written: steps, busy });
  } catch (error) {
    fail(error);
  }`;

const READER = `${COMMON}
  const known = new Map();
  let stopped = false;
  let wake = () => {};
  process.on('message', (message) => {
    if (message === 'end') stopped = true;
    else if (message.beacon) known.set(message.beacon, message.version);
    wake();
  });
  const marks = (content) => new Set(content.match(/MARK<.*?>/g));
  let searches = 0;
  const look = async (request) => {
    // Everything acknowledged before the search began must be in its result.
    const told = new Map(known);
    const { passages } = await engine.searchFiles(request);
    searches += 1;
    for (const { content, file } of passages) {
      const found = marks(content);
      if (found.size !== 1) {
        const where = ' in ' + JSON.stringify(request) + ': ' + content;
        throw new Error('a mixture: ' + [...found].join(' ') + where);
      }
      const [mark] = found;
      if (!mark.startsWith('MARK<' + file.key + '@')) throw new Error('of another file: ' + mark + ' in ' + file.key);
    }
    return { passages, told };
  };
  const versionOf = (content) => Number(/@(\\d+)>/.exec(content)[1]);
  try {
    for (let i = 0; !stopped; i++) {
      const query = queries[i % queries.length];
      await look({ query, limit: 20, contextDepth: i % 11, includeBreadcrumb: i % 2 === 0 });
      await look({ query: queries[(i + 1) % queries.length], limit: 10, consolidate: true, contextDepth: i % 4 });
      for (const writer of ['w0', 'w1']) {
        const key = writer + '-beacon.md';
        const { passages, told } = await look({ query: writer + ' beacon', limit: 50, contextDepth: 10 });
        const version = told.get(key);
        if (version === undefined) continue;
        const seen = passages.filter(({ file }) => file.key === key).map(({ content }) => versionOf(content));
        if (seen.length === 0) throw new Error(key + ' was not found in version ' + version + ' or a later one');
        if (Math.min(...seen) < version) throw new Error(key + ' was seen in version ' + seen + ' after ' + version);
      }
      // Lets messages arrive; a pausing reader searches again once something was written, while the next step runs.
      await new Promise((resolve) => {
        wake = resolve;
        if (!pausing || stopped) setImmediate(resolve);
      });
    }
    process.send({ searches });
    await end();
  } catch (error) {
    fail(error);
  }`;

interface Message {
  readonly failed?: string;
  readonly files?: Readonly<Record<string, string | null>>;
  readonly beacon?: string;
  readonly version?: number;
  readonly written?: number;
  readonly busy?: number;
  readonly searches?: number;
  readonly answers?: unknown;
}

function start(program: string, order: object): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, JSON.stringify(order)], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

test('two writers and four readers: no mixed state, no error but BUSY, and a correct index at the end', async () => {
  const base = folderOf();
  const database = path.join(base, 'waymark.db');
  // Created first, so that readers have something to open.
  await (await openEngine({ database, model: createHashEmbedder(), passageTokens: 40 })).close();
  const orders = ['w0', 'w1', 'r0', 'r1', 'r2', 'r3'].map((name, i) => ({
    database,
    name,
    folder: path.join(base, name),
    index: i % 2 === 0 ? 'exact' : 'hnsw',
    steps: STEPS,
    queries: QUERIES,
    pausing: !TORTURE,
  }));
  const writers = orders.slice(0, 2).map((order) => start(WRITER, order));
  const readers = orders.slice(2).map((order) => start(READER, order));
  const files = new Map<string, string>();
  const views: unknown[] = [];
  const failures: string[] = [];
  let [writing, busy, searches] = [writers.length, 0, 0];
  const finish = () => {
    for (const child of [...writers, ...readers]) if (child.connected) child.send('end');
  };
  const take = (message: Message) => {
    if (message.failed !== undefined) {
      failures.push(message.failed);
      finish();
    }
    for (const [key, text] of Object.entries(message.files ?? {})) {
      if (text === null) files.delete(key);
      else files.set(key, text);
    }
    if (message.files || message.beacon !== undefined) {
      const { beacon, version } = message;
      for (const reader of readers) if (reader.connected) reader.send({ beacon, version });
    }
    if (message.written !== undefined) {
      busy += message.busy ?? 0;
      writing -= 1;
      if (writing === 0) finish();
    }
    searches += message.searches ?? 0;
    if (message.answers !== undefined) views.push(message.answers);
  };
  const ended = [...writers, ...readers].map(async (child) => {
    child.on('message', take);
    // Not its exit: the last messages may arrive after it.
    const [code, signal] = await once(child, 'close');
    return [code, signal];
  });
  expect(await Promise.all(ended)).toEqual(Array(6).fill([0, null]));
  expect(failures).toEqual([]);
  expect(inconsistencies(database)).toEqual([]);

  const oracle = await openEngine({
    database: path.join(base, 'oracle.db'),
    model: createHashEmbedder(),
    passageTokens: 40,
  });
  for (const [key, text] of files) await oracle.indexFile(key, text);
  const expected: unknown[] = [];
  for (const query of QUERIES) {
    for (const options of [{ limit: 50 }, { limit: 50, consolidate: true }]) {
      const { passages } = await oracle.searchFiles({ query, ...options });
      expected.push(passages.map(({ content, score, meta, file: { key } }) => ({ content, score, meta, key })));
    }
  }
  await oracle.close();
  expect(expected.flat().length).toBeGreaterThan(50);
  expect(views).toHaveLength(6);
  for (const view of views) expect(view).toEqual(JSON.parse(JSON.stringify(expected)));
  tell(
    `2 writers of ${STEPS} steps and 4 readers of ${searches} searches: no mixture, no difference, ${busy} times BUSY`,
  );
});

test.runIf(TORTURE)(
  'a command blocked by another writer for ten seconds exits with 4 and says what to do',
  async () => {
    const base = folderOf({ 'docs/a.md': 'The pump.' });
    const database = path.join(base, 'waymark.db');
    const indexing = ['index', path.join(base, 'docs'), '--database', database];
    await (await openEngine({ database, model: createHashEmbedder() })).close();
    const other = new Sqlite(database);
    other.exec('BEGIN IMMEDIATE');
    const message = `Another process has been writing to ${database} for too long: try again when it has finished.\n`;
    const { code, stderr } = await waymark(indexing, { cwd: base });
    expect([code, stderr.endsWith(message)]).toEqual([4, true]);
    other.close();
    expect(await waymark(indexing, { cwd: base })).toMatchObject({ code: 0 });
  },
);
