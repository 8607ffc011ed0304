// Run in a process of its own: damages copies of a database, one after the other, and prints what came of each.
import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHashEmbedder, examine, openEngine, WaymarkError } from 'waymark';

const QUERIES = [
  'how do I restore a backup',
  'limits of requests',
  'what is a shard',
  'architecture overview',
  'retention',
  'zebra',
];

const [, database, json] = process.argv;
/** `examined`: whether the doctor is asked where no answer has changed, too. */
const places = JSON.parse(json);
const copy = path.join(path.dirname(database), `damaged-${process.pid}.db`);

async function answersOf(file) {
  const engine = await openEngine({
    database: file,
    model: createHashEmbedder(),
    create: false,
    index: 'hnsw',
    onWarning() {},
  });
  try {
    const all = [];
    for (const query of QUERIES) {
      for (const mode of ['dense', 'lexical', 'hybrid']) {
        const tags = mode === 'dense' ? {} : { shelf: 'a' };
        all.push((await engine.searchFiles({ query, tags, limit: 5, mode, positions: true })).passages);
      }
    }
    return all;
  } finally {
    await engine.close();
  }
}

/** Without what a file that was read again has otherwise. */
function plain(answers) {
  return JSON.stringify(answers, (key, value) => (['id', 'createdAt', 'updatedAt'].includes(key) ? undefined : value));
}

function damage({ kind, byte, bit }) {
  for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
  if (kind === 'cut') {
    copyFileSync(database, copy);
    truncateSync(copy, byte);
    return;
  }
  const bytes = readFileSync(database);
  bytes[byte] ^= 1 << bit;
  writeFileSync(copy, bytes);
}

const before = await answersOf(database);

async function look(place) {
  let outcome;
  let detail = '';
  damage(place);
  try {
    outcome = JSON.stringify(await answersOf(copy)) === JSON.stringify(before) ? 'same' : 'other';
  } catch (error) {
    outcome = error instanceof WaymarkError ? 'refused' : 'untyped';
    detail = String(error?.stack);
  }
  if (outcome === 'same' && !place.examined) return { place, outcome, repair: 'untried', detail };
  // The doctor sees the damage itself, not what searching has made of it.
  damage(place);
  let repair = 'untried';
  let repaired;
  try {
    const { state, findings } = await examine({ database: copy, model: createHashEmbedder() });
    const complaints = findings.filter((finding) => finding.state !== 'ok').map(({ message }) => message);
    detail = [detail, ...complaints].join('\n');
    if (outcome === 'other') outcome = state === 'ok' ? 'silent' : 'found';
    if (state !== 'ok') {
      repaired = await examine({ database: copy, model: createHashEmbedder(), repair: true });
      if (repaired.state !== 'ok') repair = 'beyond';
      else repair = plain(await answersOf(copy)) === plain(before) ? 'sound' : 'unsound';
    }
  } catch (error) {
    if (!(error instanceof WaymarkError)) outcome = 'untyped';
    else if (outcome === 'other') outcome = 'found';
    // A search after a repair that said that all is well must not fail.
    repair = repaired ? 'unsound' : 'beyond';
    detail = [detail, error?.stack].join('\n');
  }
  return { place, outcome, repair, detail };
}

for (const place of places) process.stdout.write(`${JSON.stringify(await look(place))}\n`);
