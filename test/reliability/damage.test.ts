import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createHashEmbedder, examine, openEngine } from 'waymark';
import { mulberry32 } from 'waymark/evaluation';
import { folderOf } from '../support/folder.js';
import { runModule } from '../support/node.js';
import { tell, times } from './torture.js';

const CORPUS = fileURLToPath(new URL('../../corpus/', import.meta.url));
const MODEL = fileURLToPath(new URL('../../models/waymark-docs-small-en/', import.meta.url));
const PROGRAM = readFileSync(new URL('./damaged-places.js', import.meta.url), 'utf8');

/** Places per process: if a process dies, the first place that it did not finish killed it. */
const BATCH = 20;

interface Place {
  /** Where a bit is flipped, or where the file is truncated. */
  readonly kind: 'flip' | 'cut';
  readonly byte: number;
  readonly bit: number;
  /** Whether to run the doctor even if no result has changed. */
  readonly examined: boolean;
}

interface Tried {
  readonly place: Place;
  /** `same` results, `refused` with a typed error, or `found` by the doctor; anything else is a bug. */
  readonly outcome: 'same' | 'refused' | 'found' | 'silent' | 'untyped';
  /** Outcome of a repair: `sound` with the original results, or `beyond` repair according to the doctor. */
  readonly repair: 'sound' | 'beyond' | 'untried' | 'unsound';
  readonly detail: string;
}

/** A database with its HNSW snapshot in one file, indexed from some of the corpus in a folder beside it. */
async function indexed(): Promise<string> {
  const folder = folderOf();
  mkdirSync(path.join(folder, 'docs'));
  for (const name of ['faq.md', 'glossary.md', 'index.md']) {
    const text = readFileSync(path.join(CORPUS, name), 'utf8');
    writeFileSync(path.join(folder, 'docs', name), text);
  }
  // Stored in several parts.
  const long = readFileSync(path.join(CORPUS, 'faq.md'), 'utf8');
  writeFileSync(path.join(folder, 'docs', 'long.md'), long.repeat(Math.ceil(40_000 / long.length)));
  const database = path.join(folder, 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder(), index: 'hnsw' });
  await engine.indexFolder(path.join(folder, 'docs'), { tags: { shelf: 'a' } });
  await engine.close();
  return database;
}

async function tryPlaces(database: string, places: readonly Place[]): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (let from = 0; from < places.length; from += BATCH) {
    const batch = places.slice(from, from + BATCH);
    const { code, signal, stdout, stderr } = await runModule(PROGRAM, [database, JSON.stringify(batch)]);
    const outcomes = stdout
      .split('\n')
      .filter(Boolean)
      .map((line): Tried => JSON.parse(line));
    // A crashed or hung process shows here.
    expect({ code, signal, stderr, done: outcomes.length }).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      done: batch.length,
    });
    tried.push(...outcomes);
  }
  return tried;
}

describe('a flipped bit or a truncation anywhere in a database', () => {
  it('is rejected with a typed error, found by the doctor, or changes no result; what can be repaired is', async () => {
    const database = await indexed();
    const bytes = readFileSync(database);
    const size = bytes.length;
    const random = mulberry32(7);
    const places = Array.from({ length: times(40, 520) }, (_, i): Place => {
      // The first pages hold the header and the schema: chance alone would rarely hit them.
      let byte = Math.floor(random() * (i % 8 === 1 ? 4096 : size));
      // Much of a page is unused zeros: three of four places are where something is written.
      if (i % 4 !== 0) while (bytes[byte] === 0) byte = (byte + 1) % size;
      return { kind: i % 10 === 0 ? 'cut' : 'flip', byte, bit: Math.floor(random() * 8), examined: i % 4 === 2 };
    });
    const tried = await tryPlaces(database, places);
    const faults = tried.filter(
      ({ outcome, repair }) => ['silent', 'untyped'].includes(outcome) || repair === 'unsound',
    );
    expect(faults).toEqual([]);
    const count = (test: (one: Tried) => boolean) => tried.filter(test).length;
    tell(
      `${tried.length} places of a database of ${size} bytes damaged: ` +
        `${count(({ outcome }) => outcome === 'refused')} refused, ` +
        `${count(({ outcome }) => outcome === 'found')} found by the doctor, ` +
        `${count(({ outcome }) => outcome === 'same')} changed no result; ` +
        `${count(({ repair }) => repair === 'sound')} repaired, ${count(({ repair }) => repair === 'beyond')} beyond repair`,
    );
    // A truncation never goes unnoticed, so something was certainly rejected.
    expect(count(({ outcome }) => outcome === 'refused')).toBeGreaterThanOrEqual(places.length / 10);
  });
});

describe('a flipped bit or a truncation anywhere in a model', () => {
  it('fails with MODEL_MISMATCH before a query is embedded, and the doctor names both models', async () => {
    const folder = folderOf();
    const model = path.join(folder, 'waymark-docs-small-en');
    cpSync(MODEL, model, { recursive: true });
    const database = path.join(folder, 'waymark.db');
    const engine = await openEngine({ database, model, processes: 1 });
    await engine.indexFile('keys.md', 'Rotate the keys.');
    await engine.close();

    const random = mulberry32(11);
    const count = times(4, 60);
    for (let i = 0; i < count; i++) {
      const file = path.join(model, i % 2 === 0 ? 'tokenizer.json' : path.join('onnx', 'model_quantized.onnx'));
      const { size } = statSync(file);
      const whole =
        i % 10 === 0 ? cut(file, Math.floor(random() * size)) : flip(file, Math.floor(random() * size), i % 8);
      const opening = openEngine({ database, create: false });
      await expect(opening).rejects.toMatchObject({ code: 'MODEL_MISMATCH' });
      if (i === 0) {
        const { findings } = await examine({ database });
        const told = findings.find(({ check }) => check === 'model');
        expect(told?.message).toMatch(
          /^The files were embedded with waymark-docs-small-en \(\w{12}\), but waymark-docs-small-en \(\w{12}\) would be opened\.$/,
        );
      }
      whole();
    }
    tell(`${count} places of a model damaged: ${count} refused`);
    const again = await openEngine({ database, create: false, processes: 1 });
    expect((await again.search('rotating keys')).map(({ file }) => file.key)).toEqual(['keys.md']);
    await again.close();
  });
});

/** Flips a bit of a file; the returned function flips it back. */
function flip(file: string, byte: number, bit: number): () => void {
  const turn = () => {
    const handle = openSync(file, 'r+');
    const one = Buffer.alloc(1);
    readSync(handle, one, 0, 1, byte);
    one[0] = (one[0] ?? 0) ^ (1 << bit);
    writeSync(handle, one, 0, 1, byte);
    closeSync(handle);
  };
  turn();
  return turn;
}

/** Truncates a file; the returned function restores the end. */
function cut(file: string, length: number): () => void {
  const bytes = readFileSync(file);
  truncateSync(file, length);
  return () => writeFileSync(file, bytes);
}
