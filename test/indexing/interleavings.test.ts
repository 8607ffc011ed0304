import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHashEmbedder, type Embedder } from 'waymark';
import { CheckedEmbedder } from '#src/embed/checked-embedder.js';
import { indexFile } from '#src/indexing/index-file.js';
import { indexFolder } from '#src/indexing/index-folder.js';
import type { Indexing, Parser } from '#src/indexing/indexing.js';
import { measure } from '#src/indexing/parsing/measured-passage.js';
import { setPassages } from '#src/indexing/set-passages.js';
import type { PassageStore } from '#src/storage/passage-store.js';
import { fileToPut } from '../support/file-to-put.js';
import { folderOf } from '../support/folder.js';
import { MemoryStore } from '../support/memory-store.js';
import { storeOf } from '../support/store.js';

/** Moments of a history, in order. */
interface Interval {
  readonly start: number;
  readonly end: number;
}

/** A call on one key that was acknowledged, and what it left there: a text, or nothing. */
interface Acknowledged extends Interval {
  readonly key: string;
  readonly left: string | undefined;
}

/** A run over the folder; `listed` is when it had read what was stored, and what that was. */
interface Run extends Interval {
  readonly listed: number;
  readonly present: ReadonlySet<string>;
}

const KEYS = ['a.md', 'b.md', 'c.md'];

/** The folder holds the text of `a.md` under another name, so that it may count as moved. */
const FOLDER = { 'b.md': 'folder b', 'c.md': 'folder c\nreject', 'd.md': 'stored a' };

const BEFORE = { 'a.md': 'stored a', 'b.md': 'stored b' };

const action = fc.oneof(
  fc.record({ do: fc.constant('index' as const), key: fc.constantFrom(...KEYS), text: fc.constantFrom('x', 'y\nz') }),
  fc.record({ do: fc.constant('index' as const), key: fc.constantFrom(...KEYS), text: fc.constant('reject\nx') }),
  fc.record({ do: fc.constant('set' as const), key: fc.constantFrom(...KEYS), text: fc.constantFrom('p', 'q\nr') }),
  fc.record({ do: fc.constant('remove' as const), key: fc.constantFrom(...KEYS) }),
  fc.record({ do: fc.constant('folder' as const) }),
);

/** The calls of each lane, one after the other. */
type Lanes = readonly (readonly Action[])[];

type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

/** Cuts a text into its lines. */
function lineParser(pause: () => Promise<void>): Parser {
  return {
    size: 2,
    async parse(text) {
      await pause();
      const { passages } = fileToPut('', text.split('\n'));
      return { title: undefined, metadata: {}, tags: {}, warnings: [], passages };
    },
    extract: () => Promise.reject(new Error('not used')),
    async measure(contents) {
      await pause();
      return contents.map((content) => measure(content, ({ length }) => length));
    },
  };
}

/** Refuses the text `reject`. */
function pickyEmbedder(pause: () => Promise<void>): Embedder {
  const hash = createHashEmbedder();
  return new CheckedEmbedder({
    ...hash,
    async embedPassages(texts) {
      await pause();
      if (texts.includes('reject')) throw new Error('no');
      return hash.embedPassages(texts);
    },
  });
}

/** A store that pauses before and after each call, as if other calls were quicker. */
function pausing(store: PassageStore, pause: () => Promise<void>): PassageStore {
  return new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]) => {
        await pause();
        const result = await method.apply(target, given);
        await pause();
        return result;
      };
    },
  });
}

/** What a store holds under each key. */
async function textsIn(store: PassageStore): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { id, key } of await store.files()) {
    const passages = await store.passages(id, { from: 0, to: 100 });
    texts.set(key, passages.map(({ content }) => content).join('\n'));
  }
  return texts;
}

/** Runs lanes of calls in parallel, each on a store of its own. Returns what was acknowledged. */
async function history(
  stores: readonly PassageStore[],
  { folder, lanes, pause }: { folder: string; lanes: Lanes; pause: () => Promise<void> },
): Promise<{ acknowledged: Acknowledged[]; runs: Run[] }> {
  let now = 0;
  const acknowledged: Acknowledged[] = [];
  const runs: Run[] = [];
  const cutting = { budget: 64, embedBreadcrumb: true };
  const call = async (action: Action, target: PassageStore) => {
    const store = pausing(target, pause);
    const indexing: Indexing = {
      store,
      embedder: pickyEmbedder(pause),
      parser: lineParser(pause),
      cutting,
      base: path.dirname(folder),
      signal: undefined,
    };
    await pause();
    const start = ++now;
    const acknowledge = (key: string, left: string | undefined) => acknowledged.push({ key, left, start, end: ++now });
    const given = { contentType: 'text/markdown', tags: {}, metadata: {} };
    if (action.do === 'index') {
      const { key, text } = action;
      const call = indexFile({ ...given, key, text }, indexing);
      if (text.includes('reject')) await expect(call).rejects.toMatchObject({ code: 'EMBEDDER_FAILED' });
      else if ((await call).outcome !== 'unchanged') acknowledge(key, text);
    } else if (action.do === 'set') {
      const { key, text } = action;
      const passages = text.split('\n').map((content) => ({ content, subtype: 'paragraph' as const, page: undefined }));
      expect(await setPassages({ ...given, key, passages }, indexing)).toBe(true);
      acknowledge(key, text);
    } else if (action.do === 'remove') {
      if (await store.remove(action.key)) acknowledge(action.key, undefined);
    } else {
      let [listed, present] = [start, new Set<string>()];
      const listing: PassageStore = new Proxy(store, {
        get: (paused, name) => {
          if (name !== 'files') return Reflect.get(paused, name);
          return async () => {
            const files = await target.files();
            [listed, present] = [++now, new Set(files.map(({ key }) => key))];
            return files;
          };
        },
      });
      await indexFolder(folder, { ...indexing, store: listing });
      runs.push({ start, end: ++now, listed, present });
    }
  };
  await Promise.all(
    lanes.map(async (actions, i) => {
      for (const action of actions) await call(action, stores[i % stores.length] as PassageStore);
    }),
  );
  return { acknowledged, runs };
}

/** What may be stored under a key: what the last calls left there; a run writes what it decided when it listed. */
function possible(
  key: string,
  { acknowledged, runs }: { acknowledged: readonly Acknowledged[]; runs: readonly Run[] },
): (string | undefined)[] {
  const calls = acknowledged.filter((call) => call.key === key);
  const isLast = (end: number) => !calls.some(({ start }) => start > end);
  const left = calls.filter(({ end }) => isLast(end)).map((call) => call.left);
  const before = isLast(0) ? [(BEFORE as Record<string, string>)[key]] : [];
  const found = (FOLDER as Record<string, string>)[key];
  const written = runs
    .filter(({ listed, present }) => isLast(listed) || (!present.has(key) && left.includes(undefined)))
    .map(() => found);
  return [...left, ...before, ...written];
}

async function check(stores: readonly PassageStore[], { lanes, pause }: { lanes: Lanes; pause: () => Promise<void> }) {
  const folder = path.join(folderOf(prefixed('docs', BEFORE)), 'docs');
  const [store] = stores as [PassageStore];
  const still = async () => {};
  const cutting = { budget: 64, embedBreadcrumb: true };
  const parts = { store, embedder: pickyEmbedder(still), parser: lineParser(still), cutting, signal: undefined };
  await indexFolder(folder, { ...parts, base: path.dirname(folder) });
  const now = path.join(folderOf(prefixed('docs', FOLDER)), 'docs');
  // The same folder, as far as the database knows: it is relative to its own.
  const told = await history(stores, { folder: now, lanes, pause });
  for (const other of stores) {
    const texts = await textsIn(other);
    for (const key of KEYS) expect(possible(key, told), `${key}: ${JSON.stringify(told)}`).toContain(texts.get(key));
  }
}

function prefixed(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([key, text]) => [`${folder}/${key}`, text]));
}

describe('concurrent calls leave what the last acknowledged one left, and a race fails no call', () => {
  const lanes = fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 3 });
  const dimensions = createHashEmbedder().card.dimensions;

  it.each<[string, () => Promise<readonly PassageStore[]>, number]>([
    ['in memory', async () => [new MemoryStore({ dimensions })], 60],
    [
      'in SQLite, by two engines',
      async () => {
        const { file, store } = await storeOf({ dimensions });
        return [store, (await storeOf({ file, dimensions })).store];
      },
      30,
    ],
  ])('%s', async (_name, create, numRuns) => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), lanes, async (scheduler, lanes) => {
        const stores = await create();
        const pause = async () => {
          await scheduler.schedule(Promise.resolve());
        };
        await scheduler.waitFor(check(stores, { lanes, pause }));
      }),
      { numRuns },
    );
  });
});
