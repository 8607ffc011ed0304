import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createHashEmbedder, openEngine, type SearchEngine, WaymarkError } from 'waymark';
import { mulberry32 } from 'waymark/evaluation';
import { folderOf } from '../support/folder.js';
import { tell, times } from './torture.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Texts in progress when a process is killed: two batches of 32. */
const ON_THEIR_WAY = 64;

const QUERIES = ['retry of service 3', 'backup every week 12', 'nothing of all this', 'limits'];

/** Two models with different embeddings, dimensions and limits, so that their passages differ. */
const MODELS = {
  one: { name: 'one', dimensions: 64, maxTokens: 512 },
  two: { name: 'two', dimensions: 48, maxTokens: 40 },
} as const;

/**
 * Re-embeds a database and appends the number of texts of each batch to a file. Its embedder is slow enough for a kill
 * within a batch.
 */
const PROGRAM = `
  import { appendFileSync } from 'node:fs';
  import { setTimeout } from 'node:timers/promises';
  import { createHashEmbedder, reembed } from 'waymark';
  const [database, model, log] = process.argv.slice(1);
  const hash = createHashEmbedder(JSON.parse(model));
  const embedder = {
    ...hash,
    async embedPassages(texts) {
      await setTimeout(10);
      appendFileSync(log, texts.length + '\\n');
      return hash.embedPassages(texts);
    },
  };
  process.stdout.write('begun\\n');
  const { changed, files } = await reembed({ database, model: embedder });
  process.stdout.write(JSON.stringify({ changed, files }) + '\\n');
`;

interface Running {
  readonly child: ChildProcess;
  /** Resolves when the program is about to start its work. */
  readonly begun: Promise<unknown>;
  readonly ended: Promise<{ signal: NodeJS.Signals | null; stdout: string; stderr: string }>;
}

function startReembed(database: string, model: keyof typeof MODELS, log: string): Running {
  const args = ['--input-type=module', '--eval', PROGRAM, database, JSON.stringify(MODELS[model]), log];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    written.stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    written.stderr += part;
  });
  const begun = Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  const ended = once(child, 'close').then(([, signal]) => ({ signal, ...written }));
  return { child, begun, ended };
}

function textOf(file: number): string {
  const section = (i: number) =>
    `## Service ${i}\n\nThe retry of service ${i} waits ${file} seconds. ${'Its limits are told in the table of limits. '.repeat(i)}`;
  const sections = Array.from({ length: 8 }, (_, i) => section(i)).join('\n\n');
  return `# Guide ${file}\n\nA backup is made every week ${file}.\n\n${sections}\n`;
}

async function answers(engine: SearchEngine): Promise<unknown> {
  const asked = QUERIES.flatMap((query) =>
    (['dense', 'lexical', 'hybrid'] as const).map(async (mode) => {
      const hits = await engine.search(query, { limit: 30, mode });
      // Ids differ between databases of the same files.
      return hits.map(({ score, passage: { id: _, ...passage }, file: { key } }) => ({ score, passage, key }));
    }),
  );
  return Promise.all(asked);
}

async function fresh(files: ReadonlyMap<string, string>, model: keyof typeof MODELS): Promise<unknown> {
  const folder = folderOf();
  const engine = await openEngine({ database: path.join(folder, 'w.db'), model: createHashEmbedder(MODELS[model]) });
  try {
    for (const [key, text] of files) await engine.indexFile(key, text);
    return await answers(engine);
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
}

/** Checks the invariants of a database and returns the name of the model that its files are embedded with. */
function modelOf(database: string): string {
  const connection = new Sqlite(database);
  try {
    const count = (sql: string) => connection.prepare<[], number>(`SELECT count(*) FROM ${sql}`).pluck().get();
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(connection.pragma('foreign_key_check')).toEqual([]);
    connection.exec(`INSERT INTO postings_1 (postings_1) VALUES ('integrity-check')`);
    const ofBots = `passages JOIN files ON files.number = file JOIN bots ON bots.number = bot
      JOIN embeddings ON embeddings.number = embedding`;
    expect(count(`${ofBots} WHERE embeddings.model <> bots.model OR vector IS NULL`)).toBe(0);
    expect(count(`passages`)).toBe(count(`postings_1_docsize`));
    expect(count(`passages WHERE number NOT IN (SELECT id FROM postings_1_docsize)`)).toBe(0);
    // Passages that are not searchable are in progress, or about to be removed.
    const used = ['passages', 'staged_passages', 'unused'].map((table) => `SELECT embedding FROM ${table}`);
    expect(count(`embeddings WHERE number NOT IN (${used.join(' UNION ')})`)).toBe(0);
    const name = connection
      .prepare<[], string>(`SELECT models.name FROM bots JOIN models ON models.number = model`)
      .pluck();
    return name.get() ?? '';
  } finally {
    connection.close();
  }
}

/** Searches until told to stop; every result must be `expected`, or the error that the files were re-embedded. */
async function searchAllTheWhile(engine: SearchEngine, expected: unknown, stop: AbortSignal): Promise<number> {
  for (let asked = 0; ; asked++) {
    try {
      expect(await answers(engine)).toEqual(expected);
    } catch (error) {
      if (error instanceof WaymarkError && error.code === 'MODEL_MISMATCH') return asked;
      throw error;
    }
    if (stop.aborted) return asked + 1;
    await new Promise(setImmediate);
  }
}

test('a killed run is resumed; until it ends the old model answers, then the new one like a new index', async () => {
  const folder = folderOf();
  const database = path.join(folder, 'waymark.db');
  const log = path.join(folder, 'embedded');
  const files = new Map(Array.from({ length: 30 }, (_, i) => [`${i}.md`, textOf(i)]));
  let [from, to]: (keyof typeof MODELS)[] = ['one', 'two'];
  const engine = await openEngine({ database, model: createHashEmbedder(MODELS.one) });
  for (const [key, text] of files) await engine.indexFile(key, text);
  await engine.close();

  const wanted = times(6, 150);
  const random = mulberry32(1);
  const figures = { kills: 0, killedAfterSwitch: 0, rounds: 0, searches: 0, embedded: 0, texts: 0 };
  // The duration of a run: kills fall anywhere within it, and slightly after.
  let duration = 400;
  while (figures.kills < wanted && from && to) {
    const old = await openEngine({ database, model: createHashEmbedder(MODELS[from]) });
    rmSync(log, { force: true });
    let [kills, before, switched] = [0, await answers(old), false];
    for (;;) {
      const running = startReembed(database, to, log);
      const stop = new AbortController();
      const searching = searchAllTheWhile(old, before, stop.signal);
      await running.begun;
      const started = performance.now();
      const moment = random() * 1.1 * duration;
      const timer = kills < 8 ? setTimeout(() => running.child.kill('SIGKILL'), moment) : undefined;
      const { signal, stdout, stderr } = await running.ended;
      clearTimeout(timer);
      stop.abort();
      figures.searches += await searching;
      const model = modelOf(database);
      if (signal === null) {
        expect(stderr).toBe('');
        expect(JSON.parse(stdout.split('\n')[1] ?? '')).toEqual({
          changed: !switched,
          files: files.size,
        });
        duration = Math.max(200, performance.now() - started);
        expect(model).toBe(to);
        break;
      }
      kills += 1;
      if (model === to) {
        figures.killedAfterSwitch += 1;
        switched = true;
        continue;
      }
      expect(model).toBe(from);
      // Another writer continues with the old model.
      const key = `${kills % 5}.md`;
      const text = `${files.get(key)}\nAdded when it was killed for the ${kills}. time.\n`;
      await old.indexFile(key, text);
      files.set(key, text);
      before = await answers(old);
    }
    await expect(answers(old)).rejects.toMatchObject({ code: 'MODEL_MISMATCH' });
    await old.close();
    const current = await openEngine({ database, model: createHashEmbedder(MODELS[to]) });
    expect(await answers(current)).toEqual(await fresh(files, to));
    const { passages } = await current.status();
    await current.close();
    const embedded = existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .reduce((sum, line) => sum + Number(line), 0)
      : 0;
    // Edits between kills add texts of their own: one file each.
    expect(embedded).toBeLessThanOrEqual(passages + kills * (ON_THEIR_WAY + 30));
    figures.kills += kills;
    figures.rounds += 1;
    figures.embedded += embedded;
    figures.texts += passages;
    [from, to] = [to, from];
  }
  const { kills, rounds, killedAfterSwitch, searches, embedded, texts } = figures;
  tell(
    `${kills} SIGKILLs of a re-embedding in ${rounds} rounds (${killedAfterSwitch} after the switch), ${searches * QUERIES.length * 3} searches meanwhile, ${embedded} texts embedded for ${texts} passages: nothing lost, nothing mixed`,
  );
});
