import type { Answered, Built, Opened, Reply, Request, Round } from './requests.js';
import type { OpenSide, Place, Side } from './sides/side.js';
import { SIDES } from './sides/sides.js';
import { readVectors } from './vector-file.js';

// The process of one side, so that memory is its own: answers what `SideProcess` asks.

let opened: OpenSide | undefined;

process.on('message', async (request: Request) => {
  const reply = await answer(request).then(
    (value): Reply => ({ value }),
    (error: unknown): Reply => ({ failed: error instanceof Error ? error.message : String(error) }),
  );
  process.send?.(reply);
});

async function answer(request: Request): Promise<unknown> {
  if (request.ask === 'build') return build(sideOf(request.name), request.place);
  if (request.ask === 'open') return open(sideOf(request.name), request.place);
  if (!opened) throw new Error('nothing is open');
  if (request.ask === 'use') return opened.use(request.setting);
  return round(opened, request.round);
}

function sideOf(name: string): Side {
  const named = SIDES.find((side) => side.name === name);
  if (!named) throw new RangeError(`there is no side ${name}`);
  return named.side;
}

async function build(side: Side, place: Place): Promise<Built> {
  const started = performance.now();
  const { unstored } = await side.build(place);
  return { seconds: (performance.now() - started) / 1000, ...(unstored !== undefined && { unstored }) };
}

async function open(side: Side, place: Place): Promise<Opened> {
  const [query] = readVectors({ ...place.vectors, count: 1 });
  if (!query) throw new RangeError('there is no vector');
  const before = memory();
  const started = performance.now();
  opened = await side.open(place);
  // Some load when they are first asked.
  await opened.search(query, { limit: 1, below: undefined });
  const seconds = (performance.now() - started) / 1000;
  const { settings, filters } = opened;
  return { seconds, memory: memory() - before, settings, filters };
}

async function round(side: OpenSide, { queries, limit, below }: Round): Promise<Answered> {
  const milliseconds: number[] = [];
  const ids: (readonly number[])[] = [];
  for (const query of queries) {
    const started = performance.now();
    const found = await side.search(query, { limit, below });
    milliseconds.push(performance.now() - started);
    ids.push(found);
  }
  return { milliseconds, ids };
}

/** Bytes resident once garbage is away. */
function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}
