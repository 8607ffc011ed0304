import { monitorEventLoopDelay } from 'node:perf_hooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SearchEngine, WaymarkError } from 'waymark';
import { engineOf } from '../support/engine.js';
import { benign, hostileText, ofSize } from './hostile-text.js';
import { tell, times } from './torture.js';

/** What one text cost: milliseconds to index and find it, the longest stall of the event loop, and megabytes. */
interface Cost {
  readonly name: string;
  readonly indexed: number;
  readonly searched: number;
  readonly stall: number;
  readonly megabytes: number;
}

/** Indexes a text, searches meanwhile, and removes it. */
async function cost(engine: SearchEngine, { name, text }: { name: string; text: string }): Promise<Cost> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage().rss;
  delay.enable();
  const began = performance.now();
  try {
    await engine.indexFile('hostile.md', text);
  } catch (error) {
    // A text beyond a limit is refused in a sentence, and the file before stays.
    if (!(error instanceof WaymarkError) || error.code !== 'INVALID_ARGUMENT') throw error;
  }
  const indexed = performance.now() - began;
  const hits = await engine.search('kettle', { limit: 50 });
  const searched = performance.now() - began - indexed;
  delay.disable();
  expect(hits.some(({ file }) => file.key === 'benign.md')).toBe(true);
  const megabytes = (process.memoryUsage().rss - before) / 2 ** 20;
  await engine.removeFile('hostile.md');
  return { name, indexed, searched, stall: delay.max / 1e6, megabytes };
}

test('a text of any constructs, nested and repeated, is indexed or refused, and other files are found', async () => {
  const [runs, bytes] = [times(12, 300), times(8_000, 200_000)];
  const engine = await engineOf();
  await engine.indexFile('benign.md', benign(2_000));
  const ordinary = await cost(engine, { name: 'ordinary', text: benign(bytes) });
  const costs: Cost[] = [];
  await fc.assert(
    fc.asyncProperty(hostileText, async (hostile) => {
      costs.push(await cost(engine, { name: hostile.name, text: ofSize(hostile, bytes) }));
    }),
    { numRuns: runs },
  );
  const row = ({ name, indexed, searched, stall, megabytes }: Cost) => {
    const figures = [indexed, searched, stall, megabytes].map((figure) => figure.toFixed(0));
    return `| ${[name, (indexed / ordinary.indexed).toFixed(1), ...figures].join(' | ')} |`;
  };
  const costly = costs.toSorted((a, b) => b.indexed - a.indexed).slice(0, 15);
  const stalling = costs.toSorted((a, b) => b.stall - a.stall).slice(0, 5);
  tell(`hostile-text: ${runs} texts of ${bytes} bytes; times of an ordinary one, ms to index, ms to search, stall, MB`);
  for (const each of [ordinary, ...costly, ...stalling]) tell(row(each));
});
