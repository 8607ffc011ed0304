import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHashEmbedder, openEngine, type SearchEngine } from 'waymark';
import { noNetworks } from './network.js';
import { type Operation, violations } from './register.js';
import { CATCH_UP_SOON, type Cluster, startCluster } from './start.js';

/** Milliseconds after which no other history begins. */
const TIME = 20_000;

const KEYS = ['a.md', 'b.md', 'c.md'];

/** Milliseconds within which all nodes must agree after the last of them is back. */
const SETTLING = 60_000;

/** Whether nodes can be cut off from each other here. */
const CAN_CUT = noNetworks() === undefined;

let cluster: Cluster;
let runs = 0;

beforeAll(async () => {
  cluster = await startCluster({ hasNetwork: CAN_CUT, env: CATCH_UP_SOON });
});

afterAll(() => cluster?.stop());

/** What happens to one node while two indexers work: after how many operations, and for how many more. */
interface Fault {
  readonly kind: 'kill' | 'pause' | 'cut' | 'none';
  readonly node: number;
  readonly after: number;
  readonly during: number;
}

/** One of the operations of an indexer, which it performs one after the other. */
type Command = readonly [kind: 'index' | 'remove' | 'search', key: number];

const command = fc.tuple(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant('index' as const) },
    { weight: 1, arbitrary: fc.constant('remove' as const) },
    { weight: 1, arbitrary: fc.constant('search' as const) },
  ),
  fc.nat(KEYS.length - 1),
);

const fault = fc.record({
  kind: fc.constantFrom<Fault['kind']>('kill', 'pause', 'none', ...(CAN_CUT ? (['cut'] as const) : [])),
  node: fc.nat(2),
  after: fc.integer({ min: 1, max: 5 }),
  during: fc.integer({ min: 2, max: 6 }),
});

/** An engine that asks one node first, or only that node. */
function open(node: number, { isOnly = false } = {}): Promise<SearchEngine> {
  const all = cluster.hosts.map(({ http, grpc }) => `http://${http}?grpc=${grpc}`);
  const hosts = isOnly ? all.slice(node, node + 1) : [...all.slice(node), ...all.slice(0, node)];
  return openEngine({ cluster: { hosts }, model: createHashEmbedder() });
}

/** Loses all packets between a node and the others. */
function cut(node: number): void {
  for (const other of [0, 1, 2].filter((each) => each !== node)) {
    cluster.network?.lose({ from: node, to: other });
    cluster.network?.lose({ from: other, to: node });
  }
}

/** A file of two passages, each with its version. */
function textOf(version: string): string {
  return `# Pump\n\n## Lamp\n\nThe pump has ${version}, a lamp.\n\n## Valve\n\nThe pump has ${version}, a valve.\n`;
}

/** The versions of the files of a run that a search finds; `mixed` for a file with passages of several. */
async function versionsOf(engine: SearchEngine, run: string): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  const hits = await engine.search('pump', { mode: 'lexical', limit: 50, path: run });
  for (const { file, passage } of hits) {
    const [version = 'none'] = /v\d+x\d+/.exec(passage.content) ?? [];
    const before = versions.get(file.key);
    versions.set(file.key, before === undefined || before === version ? version : 'mixed');
  }
  return versions;
}

/** Plays a history; returns what was written, and what is there afterwards. */
async function play(scripts: readonly (readonly Command[])[], faults: readonly Fault[]): Promise<Operation[]> {
  const run = `run${runs++}`;
  const history: Operation[] = [];
  const down = new Map<number, Fault>();
  let done = 0;
  const strike = async () => {
    for (const each of faults) {
      const { kind, node, after, during } = each;
      if (kind !== 'none' && done >= after && done < after + during && down.size === 0) {
        down.set(node, each);
        if (kind === 'kill') await cluster.kill(node);
        else if (kind === 'pause') cluster.pause(node);
        else cut(node);
      } else if (down.get(node) === each && done >= after + during) await recover(node);
    }
  };
  const recover = async (node: number) => {
    const kind = down.get(node)?.kind;
    if (kind === 'pause') cluster.resume(node);
    cluster.network?.heal();
    // A node that was cut off for long does not find the others by itself.
    if (kind === 'kill' || kind === 'cut') await cluster.restart(node);
    down.delete(node);
  };
  const work = async (script: readonly Command[], worker: number) => {
    const engine = await open(worker);
    for (const [i, [kind, number]] of script.entries()) {
      const key = `${run}/${KEYS[number]}`;
      const version = `v${worker}x${i}`;
      const begin = performance.now();
      let hasFailed = false;
      let isRefused = false;
      try {
        if (kind === 'index') await engine.indexFile(key, textOf(version));
        else if (kind === 'remove') isRefused = !(await engine.removeFile(key));
        else expect([...(await versionsOf(engine, run)).values()]).not.toContain('mixed');
      } catch (error) {
        if ((error as { code?: string }).code !== 'CLUSTER_UNAVAILABLE') throw error;
        hasFailed = true;
      }
      const value = kind === 'index' ? version : undefined;
      if (kind !== 'search' && !isRefused) {
        history.push({ kind: 'write', key, value, begin, end: performance.now(), hasFailed });
      }
      done += 1;
    }
    await engine.close();
  };
  const working = Promise.all(scripts.map(work));
  let isDone = false;
  const ended = working.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await strike();
    await Promise.race([ended.catch(() => {}), setTimeout(20)]);
  }
  for (const node of [...down.keys()]) await recover(node);
  await ended;
  return [...history, ...(await finalReads(run))];
}

/** What each of the nodes finds alone, once they agree. */
async function finalReads(run: string): Promise<Operation[]> {
  const engines = await Promise.all([0, 1, 2].map((node) => open(node, { isOnly: true })));
  const deadline = performance.now() + SETTLING;
  for (;;) {
    const begin = performance.now();
    const found = await Promise.all(engines.map((engine) => versionsOf(engine, run).catch(() => undefined)));
    const end = performance.now();
    const shown = found.map((versions) => versions && JSON.stringify([...versions].sort()));
    if (shown[0] !== undefined && shown.every((one) => one === shown[0])) {
      const keys = await engines[0]?.keys(run);
      if (JSON.stringify(keys) === JSON.stringify([...(found[0]?.keys() ?? [])].sort())) {
        await Promise.all(engines.map((engine) => engine.close()));
        return KEYS.map((key) => `${run}/${key}`).map((key) => {
          return { kind: 'read', key, value: found[0]?.get(key), begin, end };
        });
      }
    }
    if (end > deadline) throw new Error(`The nodes do not agree after ${SETTLING} ms: ${shown.join(' | ')}`);
    await setTimeout(50);
  }
}

it('files of two indexers are linearizable, whatever nodes are killed, paused or cut off', async () => {
  const deadline = performance.now() + TIME;
  const script = fc.array(command, { minLength: 8, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(script, script),
      fc.array(fault, { minLength: 1, maxLength: 2 }),
      async (scripts, faults) => {
        if (performance.now() > deadline) return;
        const history = await play(scripts, faults);
        expect(violations(history), JSON.stringify(history)).toEqual([]);
      },
    ),
    // A run takes seconds: what it shows is enough to understand it.
    { numRuns: 4, endOnFailure: true },
  );
});
