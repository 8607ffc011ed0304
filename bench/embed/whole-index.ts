import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { openEmbedder, openEngine } from 'waymark';
import { childrenOf, cpuSecondsOf } from '../memory/proc.js';
import { type PhaseEvent, type Phases, phasesOf } from './phases.js';

/** Seconds of CPU that a run used, by who used them. */
export interface CpuSeconds {
  /** The processes that run the model, loading it included. */
  readonly model: number;
  readonly mainThread: number;
  /** Of the main process: parsing, garbage collection. */
  readonly otherThreads: number;
}

export interface WholeIndex {
  /** From the call of `indexFolder` to its return. */
  readonly seconds: number;
  readonly passages: number;
  /** Size of the database. */
  readonly bytes: number;
  readonly phases: Phases;
  /** Undefined where there is no /proc. */
  readonly cpu: CpuSeconds | undefined;
}

/** Indexes a folder with the bundled model into a new database. `warm`: the model is loaded before the clock starts. */
export async function wholeIndex(folder: string, { warm }: { readonly warm: boolean }): Promise<WholeIndex> {
  const temporary = mkdtempSync(path.join(tmpdir(), 'waymark-bench-embed-'));
  const { embedder } = await openEmbedder();
  const engine = await openEngine({ database: path.join(temporary, 'waymark.db'), model: embedder });
  try {
    // Texts that come together each start a process.
    if (warm) await embedder.embedPassages(Array.from({ length: availableParallelism() }, (_, i) => `Warm-up ${i}`));
    const before = cpuSeconds();
    const events: PhaseEvent[] = [];
    const started = performance.now();
    const now = () => (performance.now() - started) / 1000;
    await engine.indexFolder(folder, { onProgress: ({ phase }) => events.push({ phase, at: now() }) });
    const seconds = now();
    const cpu = between(before, cpuSeconds());
    const { passages, bytes } = await engine.status();
    return { seconds, passages, bytes, phases: phasesOf(events, { end: seconds }), cpu };
  } finally {
    await engine.close();
    rmSync(temporary, { recursive: true, force: true });
  }
}

function cpuSeconds(): CpuSeconds | undefined {
  const main = cpuSecondsOf(process.pid);
  const mainThread = cpuSecondsOf(process.pid, { mainThread: true });
  if (main === undefined || mainThread === undefined) return undefined;
  const model = childrenOf(process.pid).reduce((sum, pid) => sum + (cpuSecondsOf(pid) ?? 0), 0);
  return { model, mainThread, otherThreads: main - mainThread };
}

function between(before: CpuSeconds | undefined, after: CpuSeconds | undefined): CpuSeconds | undefined {
  if (!before || !after) return undefined;
  return {
    model: after.model - before.model,
    mainThread: after.mainThread - before.mainThread,
    otherThreads: after.otherThreads - before.otherThreads,
  };
}
