import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { mulberry32 } from 'waymark/evaluation';
import { folderOf } from '../support/folder.js';
import { type Ended, runModule } from '../support/node.js';
import { contentsOf, inconsistencies } from './consistency.js';
import { KILL_PROGRAM, type KillOrder } from './kill-program.js';
import { tell, times } from './torture.js';

const KILLS = times(12, 320);
const SEED = 20_261_121;

type Step =
  | { readonly kind: 'folder'; readonly changes: Readonly<Record<string, string | null>> }
  | { readonly kind: 'indexFile' | 'upload'; readonly key: string; readonly text: string }
  | { readonly kind: 'removeFile' | 'deleteUpload'; readonly key: string }
  | { readonly kind: 'search'; readonly query: string };

const WORDS = 'pump valve lamp door motor relay sensor cable fuse switch heater fan gauge bolt spring'.split(' ');

/** A document of several sections; those with even numbers are the same in every version. */
function documentOf(key: string, version: number): string {
  const sections = Array.from({ length: 2 + (version % 4) }, (_, i) => {
    const said = i % 2 === 0 ? key : `${key} in version ${version}`;
    const words = WORDS.map((_, w) => WORDS[(w * (i + 3) + (i % 2 === 0 ? 0 : version)) % WORDS.length]);
    return `## Section ${i}\n\nThe ${words.join(' ')} of ${said}.\n`;
  });
  return `# About ${key}\n\n${sections.join('\n')}`;
}

function stepsOf(count: number): Step[] {
  const random = mulberry32(SEED);
  const below = (limit: number) => Math.floor(random() * limit);
  return Array.from({ length: count }, (_, i): Step => {
    const kind = below(12);
    if (kind < 3) {
      const names = Array.from({ length: 1 + below(4) }, () => `folder-${below(8)}.md`);
      const changes = names.map((name) => [name, random() < 0.25 ? null : documentOf(name, i)] as const);
      return { kind: 'folder', changes: Object.fromEntries(changes) };
    }
    if (kind < 6) return { kind: 'indexFile', key: `given-${below(6)}.md`, text: documentOf('given', i) };
    if (kind < 7) return { kind: 'removeFile', key: `given-${below(6)}.md` };
    if (kind < 10) return { kind: 'upload', key: `uploaded-${below(6)}.md`, text: documentOf('uploaded', i) };
    if (kind < 11) return { kind: 'deleteUpload', key: `uploaded-${below(6)}.md` };
    return { kind: 'search', query: WORDS[below(WORDS.length)] ?? '' };
  });
}

/** The effect of a step on the contents by key. */
function apply(contents: Map<string, string>, step: Step): Map<string, string> {
  const after = new Map(contents);
  const change = (key: string, text: string | null) => (text === null ? after.delete(key) : after.set(key, text));
  if (step.kind === 'folder') for (const [key, text] of Object.entries(step.changes)) change(key, text);
  else if (step.kind === 'indexFile' || step.kind === 'upload') change(step.key, step.text);
  else if (step.kind !== 'search') change(step.key, null);
  return after;
}

/** Differences both from the state before the killed step and from the state after it. */
function lost(found: Map<string, string>, before: Map<string, string>, after: Map<string, string>): string[] {
  const keys = new Set([...found.keys(), ...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => found.get(key) !== before.get(key) && found.get(key) !== after.get(key));
}

/** The hits without ids and times, which are random. */
async function answersOf(database: string, bot: string): Promise<unknown[]> {
  const engine = await openEngine({ database, bot, model: createHashEmbedder(), index: 'exact' });
  const answers: unknown[] = [];
  for (const query of [...WORDS, 'the pump of version 7', 'section folder', 'given motor relay']) {
    const { passages } = await engine.searchFiles({ query, limit: 50 });
    answers.push(
      passages.map(({ content, score, meta, file: { key, tags, contentType } }) => ({
        content,
        score,
        meta,
        key,
        tags,
        contentType,
      })),
    );
  }
  await engine.close();
  return answers;
}

function acknowledged(root: string): number {
  const journal = path.join(root, 'journal');
  return existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length - 1 : 0;
}

const run = (order: KillOrder): Promise<Ended> => runModule(KILL_PROGRAM, [JSON.stringify(order)]);

test(`${KILLS} kills lose nothing acknowledged, and the resumed index answers like an uninterrupted one`, async () => {
  const base = folderOf();
  const steps = stepsOf(8 * KILLS + 100);
  const file = path.join(base, 'steps.json');
  writeFileSync(file, JSON.stringify(steps));
  const root = path.join(base, 'killed');
  mkdirSync(root);
  const database = path.join(root, 'waymark.db');
  const random = mulberry32(SEED + 1);
  let contents = new Map<string, string>();
  let done = 0;
  let kills = 0;
  let atStatement = 0;
  for (let attempt = 0; kills < KILLS; attempt++) {
    expect(attempt, 'most attempts end with a kill').toBeLessThan(2 * KILLS + 10);
    const kill =
      random() < 0.6
        ? { statement: 1 + Math.floor(1500 * random() ** 2), before: random() < 0.5 }
        : { microseconds: Math.floor(300_000 * random() ** 2) };
    const ended = await run({ root, steps: file, until: done + 25, kill });
    expect(ended.stderr).toBe('');
    if (ended.signal === 'SIGKILL') {
      kills += 1;
      if ('statement' in kill) atStatement += 1;
    } else expect(ended.code).toBe(0);
    const now = acknowledged(root);
    for (; done < now; done++) contents = apply(contents, steps[done] as Step);
    const where = `attempt ${attempt}, ${JSON.stringify(kill)}, step ${done}`;
    if (!existsSync(database)) {
      expect(done).toBe(0);
      continue;
    }
    const found = inconsistencies(database);
    // Killed while creating the database: it is empty, and the next start continues.
    if (done === 0 && found.some((reason) => reason.includes('no such table'))) continue;
    expect(found, where).toEqual([]);
    const under = steps[done];
    expect(lost(contentsOf(database), contents, under ? apply(contents, under) : contents), where).toEqual([]);
  }

  const until = done + 3;
  expect(await run({ root, steps: file, until })).toMatchObject({ code: 0, stderr: '' });
  const whole = path.join(base, 'whole');
  mkdirSync(whole);
  expect(await run({ root: whole, steps: file, until })).toMatchObject({ code: 0, stderr: '' });
  for (const bot of ['default', 'uploads']) {
    const [killed, expected] = [await answersOf(database, bot), await answersOf(path.join(whole, 'waymark.db'), bot)];
    expect(killed).toEqual(expected);
    expect(expected.flat().length).toBeGreaterThan(0);
  }
  expect(contentsOf(database)).toEqual(contentsOf(path.join(whole, 'waymark.db')));
  tell(
    `${kills} kills survived (${atStatement} at a statement, ${kills - atStatement} at any moment) over ${until} acknowledged steps, none lost`,
  );
});
