/**
 * The program to kill: performs steps on a database one after the other and appends a line to its journal for every
 * acknowledged step. It kills itself with SIGKILL before or after an SQLite statement, or from another thread at any
 * moment. Its argument is a KillOrder as JSON.
 */
export const KILL_PROGRAM = `
  import fs from 'node:fs';
  import path from 'node:path';
  import { Worker } from 'node:worker_threads';
  import Sqlite from 'better-sqlite3';
  import { createHashEmbedder, openEngine, openHost } from 'waymark';

  const { root, steps: stepsFile, until, kill } = JSON.parse(process.argv[1]);
  const steps = JSON.parse(fs.readFileSync(stepsFile, 'utf8'));
  const database = path.join(root, 'waymark.db');
  const folder = path.join(root, 'docs');
  const journal = path.join(root, 'journal');
  fs.mkdirSync(folder, { recursive: true });
  fs.appendFileSync(journal, '');

  const end = () => process.kill(process.pid, 'SIGKILL');
  let statements = 0;
  if (kill?.statement !== undefined) {
    const prototype = Object.getPrototypeOf(new Sqlite(':memory:').prepare('SELECT 1'));
    for (const name of ['run', 'get', 'all', 'iterate']) {
      const original = prototype[name];
      prototype[name] = function (...given) {
        statements += 1;
        if (statements === kill.statement && kill.before) end();
        const result = original.apply(this, given);
        if (statements === kill.statement) end();
        return result;
      };
    }
  }

  const model = createHashEmbedder();
  const warned = (message) => console.error('warning: ' + message);
  const engine = await openEngine({ database, model, index: 'hnsw', onWarning: warned });
  const host = await openHost({ database, model, index: 'hnsw', onWarning: warned });
  const uploads = await host.bot('uploads').catch(async (error) => {
    if (error.code !== 'BOT_MISSING') throw error;
    await engine.createBot({ name: 'uploads' });
    return host.bot('uploads');
  });

  const log = fs.openSync(journal, 'a+');
  // A truncated line was never acknowledged.
  const lines = fs.readFileSync(journal, 'utf8').split('\\n').length - 1;
  const last = lines;
  if (kill?.microseconds !== undefined) {
    const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ' + kill.microseconds / 1000 + ');';
    new Worker(wait + 'process.kill(' + process.pid + ', "SIGKILL");', { eval: true });
  }

  const doing = {
    async folder({ changes }) {
      for (const [name, text] of Object.entries(changes)) {
        const file = path.join(folder, name);
        if (text === null) fs.rmSync(file, { force: true });
        else fs.writeFileSync(file, text);
      }
      await engine.indexFolder(folder);
    },
    indexFile: ({ key, text }) => engine.indexFile(key, text),
    removeFile: ({ key }) => engine.removeFile(key),
    upload: ({ key, text }) => uploads.uploadFile({ key, content: text, index: true }),
    // If it was killed after the step, the step is already done.
    deleteUpload: ({ key }) => uploads.deleteFile({ id: key }).catch((error) => {
      if (error.code !== 'FILE_MISSING') throw error;
    }),
    search: ({ query }) => engine.searchFiles({ query }),
  };
  for (let i = last; i < Math.min(until, steps.length); i++) {
    const { kind, ...step } = steps[i];
    await doing[kind](step);
    fs.writeSync(log, i + '\\n');
    fs.fsyncSync(log);
  }
  while (host.status().pending > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await host.close();
  await engine.close();`;

/** Instructions for the program. */
export interface KillOrder {
  /** Folder of the database, the journal and the documents. */
  readonly root: string;
  /** File with the steps, as JSON. */
  readonly steps: string;
  /** Number of the step before which it exits by itself. */
  readonly until: number;
  readonly kill?:
    | { readonly statement: number; readonly before: boolean }
    | { readonly microseconds: number }
    | undefined;
}
