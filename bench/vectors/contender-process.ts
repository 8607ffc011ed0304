// The process of one contender, so that its memory can be measured. It answers the requests of `ContenderClient`.
import type { Contender, OpenContender, Place } from './contenders/contender.js';
import { CONTENDERS } from './contenders/contenders.js';
import type { Answered, Built, Opened, Reply, Request, Round } from './requests.js';
import { readVectors } from './vector-file.js';

let opened: OpenContender | undefined;

process.on('disconnect', () => process.exit());
process.on('message', async (request: Request) => {
  const reply = await answer(request).then(
    (value): Reply => ({ value }),
    (error: unknown): Reply => ({ failed: error instanceof Error ? error.message : String(error) }),
  );
  process.send?.(reply);
});

async function answer(request: Request): Promise<unknown> {
  if (request.type === 'build') return build(contenderOf(request.name), request.place);
  if (request.type === 'open') return open(contenderOf(request.name), request.place);
  if (!opened) throw new Error('no contender is open');
  if (request.type === 'use') return opened.use(request.setting);
  return round(opened, request.round);
}

function contenderOf(name: string): Contender {
  const named = CONTENDERS.find((one) => one.name === name);
  if (!named) throw new RangeError(`there is no contender ${name}`);
  return named.contender;
}

async function build(contender: Contender, place: Place): Promise<Built> {
  const started = performance.now();
  const { unstored } = await contender.build(place);
  return { seconds: (performance.now() - started) / 1000, ...(unstored !== undefined && { unstored }) };
}

async function open(contender: Contender, place: Place): Promise<Opened> {
  const [query] = readVectors({ ...place.vectors, count: 1 });
  if (!query) throw new RangeError('there are no vectors');
  const before = residentBytes();
  const started = performance.now();
  opened = await contender.open(place);
  // Some contenders load on their first search.
  await opened.search(query, { limit: 1, below: undefined });
  const seconds = (performance.now() - started) / 1000;
  const { settings, filters } = opened;
  return { seconds, memory: residentBytes() - before, settings, filters };
}

async function round(contender: OpenContender, { queries, limit, below }: Round): Promise<Answered> {
  const milliseconds: number[] = [];
  const ids: (readonly number[])[] = [];
  for (const query of queries) {
    const started = performance.now();
    const found = await contender.search(query, { limit, below });
    milliseconds.push(performance.now() - started);
    ids.push(found);
  }
  return { milliseconds, ids };
}

/** Resident memory after garbage collection. */
function residentBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}
