import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Operation, Slot, Via } from './operation.js';
import type { Attempt, Outcome } from './oracle.js';
import { mixtures, textOf, versionsIn } from './text.js';
import { type Files, placeOf, type World } from './world.js';

/** What is known of an operation that was done, besides that. */
interface Done {
  readonly failed?: readonly string[];
  readonly removed?: boolean;
  /** The version that was written, if it is not the operation's own. */
  readonly wrote?: number;
}

type Performers = {
  readonly [Kind in Operation['kind']]: (
    operation: Extract<Operation, { kind: Kind }>,
    world: World,
    version: number,
  ) => Promise<Done>;
};

/** The operation has no effect: its file is not on disk, or was not announced. */
class Nothing extends Error {
  readonly code = 'NOTHING';
}

const PERFORM: Performers = {
  async indexFile({ slot }, world, version) {
    await world.library().indexFile(slot, textOf(version, world));
    return {};
  },
  removeFile: async ({ slot }, world) => ({ removed: await world.library().removeFile(slot) }),
  async indexFolder(_, world) {
    const { failed } = await world.library().indexFolder(world.docs);
    return { failed: failed.map(({ key }) => key) };
  },
  async write({ slot }, world, version) {
    writeOnDisk(path.join(world.docs, slot), textOf(version, world), world);
    return {};
  },
  async unlink({ slot }, { docs }) {
    rmSync(path.join(docs, slot), { force: true });
    return {};
  },
  async rename({ slot, to }, { docs }) {
    const from = path.join(docs, slot);
    const wrote = versionOnDisk(from);
    renameSync(from, path.join(docs, to));
    return { wrote };
  },
  async upload({ via, slot, index, lives }, world, version) {
    const content = textOf(version, world);
    const files = await filesOf(world, { via, slot });
    await files.uploadFile({ key: placeOf(slot).key, content, index, ...expiry(world, lives) });
    return {};
  },
  async announce({ via, slot }, world, version) {
    const text = textOf(version, world);
    const { bot, key } = placeOf(slot);
    const uploadUrl = await world.announce(via, bot, { key, size: Buffer.byteLength(text), index: true });
    world.announced.set(slot, { via, uploadUrl, text, version });
    return {};
  },
  async put({ slot }, world) {
    const announced = world.announced.get(slot);
    if (!announced) throw new Nothing();
    world.announced.delete(slot);
    await world.put(announced);
    return { wrote: announced.version };
  },
  async patch({ via, slot, lives }, world, version) {
    const tags = { patch: String(version) };
    const files = await filesOf(world, { via, slot });
    await files.updateFileMetadata({ id: placeOf(slot).key, tags, ...expiry(world, lives) });
    return {};
  },
  async setPassages({ via, slot }, world, version) {
    const paragraphs = textOf(version)
      .split('\n\n')
      .filter((part) => part.includes('blinks'));
    const passages = paragraphs.map((content) => ({ content }));
    await (await filesOf(world, { via, slot })).setFilePassages({ id: placeOf(slot).key, passages });
    return {};
  },
  async delete({ via, slot }, world) {
    await (await filesOf(world, { via, slot })).deleteFile({ id: placeOf(slot).key });
    return {};
  },
  async search({ via }, world) {
    const searched = via === 'engine' ? world.library() : await world.files(via, 'main');
    const found = mixtures(await searched.searchFiles({ query: 'beacon blinks', limit: 50, contextDepth: 3 }));
    if (found.length > 0) throw new Error(`a search found a mixture of versions: ${found.join('; ')}`);
    return {};
  },
  createBot: async (_, world) => nothing(await world.createBot()),
  deleteBot: async (_, world) => nothing(await world.deleteBot()),
  clock: async ({ seconds }, world) => nothing(world.jump(seconds)),
  embedder: async ({ mood }, world) => nothing(await world.be(mood)),
  disk: async ({ full }, world) => nothing(world.fill(full)),
  kill: async ({ whom }, world) => nothing(await world.kill(whom)),
  pause: async ({ whom }, world) => nothing(await world.pause(whom)),
  restart: async (_, world) => nothing(await world.restart()),
  drain: async (_, world) => nothing(await world.drain()),
};

/** Performs an operation. An error that neither the oracle nor the faults of the world explain is thrown. */
export async function perform(operation: Operation, world: World, version: number): Promise<Attempt> {
  const performer = PERFORM[operation.kind] as (...given: unknown[]) => Promise<Done>;
  try {
    const { wrote = version, ...done } = await performer(operation, world, version);
    return { operation, version: wrote, outcome: { ended: 'done', ...done } };
  } catch (error) {
    return { operation, version, outcome: failure(error as Error & { code?: string }, operation, world) };
  }
}

/** Whatever the faults are: the oracle compares them with its states. */
const ANSWERS = ['FILE_MISSING', 'BOT_MISSING', 'BOT_EXISTS', 'UPLOAD_MISSING', 'ENOENT', 'NOTHING'];

function failure(error: Error & { code?: string }, { kind }: Operation, { excused }: World): Outcome {
  const { code = '' } = error;
  if (!ANSWERS.includes(code) && !excused.has(code)) throw error;
  // An upload is more than one step: a file that is deleted meanwhile was announced, and may be stored.
  if (kind === 'upload' || code === 'CONNECTION_FAILED' || code === 'KILLED') return { ended: 'unknown' };
  return { ended: 'refused', code };
}

function filesOf(world: World, { via, slot }: { via: Via; slot: Slot }): Promise<Files> {
  return world.files(via, placeOf(slot).bot);
}

function expiry(world: World, lives: number | undefined): { expiresAt?: string } {
  return lives === undefined ? {} : { expiresAt: new Date(world.now() + lives * 1000).toISOString() };
}

/** If sizes do not distinguish versions, times do not either: both are those of the former file. */
function writeOnDisk(file: string, text: string, { padded }: World): void {
  writeFileSync(file, text);
  if (!padded) utimesSync(file, 500_000_000, 500_000_000);
}

function versionOnDisk(file: string): number {
  return versionsIn(readFileSync(file, 'utf8'))[0] ?? 0;
}

function nothing(_: unknown): Done {
  return {};
}
