import path from 'node:path';
import { openEmbedder, openEngine } from 'waymark';
import { textTable } from 'waymark/evaluation';
import { readMarkdown } from '../corpus/markdown-files.js';
import { hashVectors } from '../embedders/hash-vectors.js';
import { inTemporaryFolder } from '../folders/temporary-folder.js';
import { log } from '../report/progress.js';
import { targetLine } from '../report/target.js';
import { median } from '../statistics/latencies.js';
import { type BareRemark, bareRemark, MOST_REMARK, timesRemark } from './bare-remark.js';
import { type Spent, spent } from './spent.js';

/** One after the other, so that a slow phase of the machine affects both. */
export interface ReadingRound {
  /** `indexFolders` into a new database, with vectors that cost next to nothing. */
  readonly reading: Spent;
  /** The same texts parsed with bare remark. */
  readonly remark: BareRemark;
}

/** How fast markdown is read, cut and stored. */
export interface Reading {
  readonly files: number;
  readonly bytes: number;
  readonly rounds: readonly ReadingRound[];
  /** Time as a multiple of what two threads of bare remark take; the median of the rounds. */
  readonly times: number;
}

export async function measureReading(folders: readonly string[], { rounds }: { rounds: number }): Promise<Reading> {
  const texts = folders.flatMap((folder) => readMarkdown(folder).map(({ text }) => text));
  const measured: ReadingRound[] = [];
  for (let round = 1; round <= rounds; round++) {
    const remark = await bareRemark(folders);
    const reading = await readFolders(folders);
    measured.push({ reading, remark });
    const bare = `one thread ${remark.one.seconds.toFixed(1)} s, two threads ${remark.two.seconds.toFixed(1)} s`;
    log(`round ${round} of ${rounds}: reading ${reading.seconds.toFixed(1)} s, bare remark: ${bare}`);
  }
  return {
    files: texts.length,
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    rounds: measured,
    times: median(measured.map(({ reading, remark }) => timesRemark(reading.seconds, remark))),
  };
}

/** By one engine. */
function readFolders(folders: readonly string[]): Promise<Spent> {
  return inTemporaryFolder(async (temporary) => {
    const { embedder } = await openEmbedder();
    const engine = await openEngine({ database: path.join(temporary, 'waymark.db'), model: hashVectors(embedder) });
    try {
      for (const folder of folders) await engine.addFolder(folder, { name: path.basename(folder) });
      return await spent(() => engine.indexFolders());
    } finally {
      await engine.close();
    }
  });
}

/** A table of the times, and their ratio with its target. */
export function readingLines({ files, bytes, rounds, times }: Reading): string[] {
  const row = (name: string, of: (round: ReadingRound) => Spent) => [
    name,
    median(rounds.map((round) => of(round).seconds)).toFixed(2),
    median(rounds.map((round) => of(round).cpu)).toFixed(2),
  ];
  const each = rounds.map(({ reading, remark }) => timesRemark(reading.seconds, remark).toFixed(2)).join(', ');
  const half = median(rounds.map(({ reading, remark }) => reading.seconds / (remark.one.seconds / 2)));
  return [
    textTable([`${files} files, ${(bytes / 1e6).toFixed(1)} MB`, 'seconds', 'CPU seconds'], {
      left: 1,
      rows: [
        row('read, cut and store', ({ reading }) => reading),
        row('bare remark, two threads', ({ remark }) => remark.two),
        row('bare remark, one thread', ({ remark }) => remark.one),
      ],
    }),
    `${targetLine('reading to two threads of bare remark', { value: times, most: MOST_REMARK })}, by round: ${each}`,
    `Reading takes ${half.toFixed(2)} times half of what one thread takes, which uses more than one core.`,
  ];
}
