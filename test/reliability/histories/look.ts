import { type BotFiles, createHashEmbedder, examine } from 'waymark';
import { inconsistencies } from '../consistency.js';
import type { InProcessWorld } from './in-process-world.js';
import { SLOTS, type Slot } from './operation.js';
import type { Clock, ExpectedFile, Oracle, State } from './oracle.js';
import { versionsIn } from './text.js';
import { placeOf } from './world.js';

/** A slot as it is. */
interface Seen {
  readonly bot: boolean;
  readonly file?: {
    readonly status: string;
    readonly patch: number | 'none';
    readonly content: readonly number[];
    readonly found: readonly number[];
  };
}

/** What a world shows that the oracle does not expect, once nothing waits to be indexed. */
export async function differences(world: InProcessWorld, oracle: Oracle, clock: Clock): Promise<string[]> {
  const told: string[] = [];
  for (const slot of SLOTS) {
    const { seen, problems } = await see(world, slot);
    told.push(...problems);
    const states = oracle.at(slot, clock);
    if (states.some((state) => matches(seen, state))) continue;
    const expected = states.map(({ bot, file }) => JSON.stringify(bot ? (file ?? 'no file') : 'no bot'));
    told.push(`${slot} is ${JSON.stringify(seen)}, expected ${[...new Set(expected)].join(' or ')}`);
  }
  return told;
}

/** What is wrong with a database that no process has open. */
export async function damage({ database }: InProcessWorld): Promise<string[]> {
  const { findings } = await examine({ database, model: createHashEmbedder() });
  const damaged = findings.filter(({ state }) => state === 'damaged');
  return [...inconsistencies(database), ...damaged.map(({ check, message }) => `${check}: ${message}`)];
}

async function see(world: InProcessWorld, slot: Slot): Promise<{ seen: Seen; problems: string[] }> {
  const { bot, key } = placeOf(slot);
  let files: BotFiles;
  try {
    files = await world.host.bot(bot === 'main' ? 'default' : bot);
  } catch (error) {
    if ((error as { code?: string }).code !== 'BOT_MISSING') throw error;
    return { seen: { bot: false }, problems: [] };
  }
  const { files: listed } = await files.listFiles();
  const { passages } = await files.searchFiles({ query: 'beacon blinks', limit: 50, contextDepth: 0 });
  // Passages of headings alone, which other words also find, are not checked.
  const found = passages.filter(({ file, content }) => file.key === key && content.includes('blinks'));
  const file = listed.find((one) => one.key === key);
  if (!file)
    return { seen: { bot: true }, problems: found.map(({ content }) => `${slot} is gone, but found: ${content}`) };
  const cut = await files.listFilePassages({ id: key, limit: 200 });
  const marked = cut.passages.filter(({ content }) => content.includes('blinks'));
  const problems =
    marked.length === found.length ? [] : [`${slot} has ${marked.length} passages, of which ${found.length} are found`];
  const content = await files.content(key).catch(() => undefined);
  return {
    seen: {
      bot: true,
      file: {
        status: file.status,
        patch: file.tags.patch === undefined ? 'none' : Number(file.tags.patch),
        content: content ? versionsIn(Buffer.from(await content.bytes()).toString()) : [],
        found: versionsIn(found.map((passage) => passage.content).join()),
      },
    },
    problems,
  };
}

function matches({ bot, file }: Seen, state: State): boolean {
  if (!bot || !state.bot) return bot === state.bot;
  if (!file || !state.file) return !file === !state.file;
  const { content, found, patch }: ExpectedFile = state.file;
  if (file.content.length > 1 || file.found.length > 1) return false;
  const isIndexed = file.status === 'indexing_completed' || file.status === 'upload_completed';
  return (
    (content === 'unknown' || (file.content[0] ?? 'none') === content) &&
    (found === 'unknown' || !isIndexed || (file.found[0] ?? 'none') === found) &&
    (patch === 'unknown' || file.patch === patch)
  );
}
