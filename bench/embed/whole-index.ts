import { availableParallelism } from 'node:os';
import path from 'node:path';
import { openEmbedder, openEngine } from 'waymark';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { childrenOf, cpuSecondsOf, cpuSecondsOfEnded, isParser } from '../support/processes/proc.js';
import { type PhaseEvent, type Phases, phasesOf } from './phases.js';

/** CPU seconds of an indexing run. */
export interface CpuSeconds {
  /** Of the embedding processes, loading the model included. */
  readonly model: number;
  /** Of the parse processes. */
  readonly parsing: number;
  /** Of the main process. */
  readonly main: number;
}

export interface WholeIndex {
  /** From the call of `indexFolder` until it returns. */
  readonly seconds: number;
  readonly passages: number;
  /** Size of the database. */
  readonly bytes: number;
  readonly phases: Phases;
  /** Undefined without /proc. */
  readonly cpu: CpuSeconds | undefined;
}

/** Indexes a folder with the bundled model into a new database. `warm` loads the model before the clock starts. */
export function wholeIndex(folder: string, { warm }: { readonly warm: boolean }): Promise<WholeIndex> {
  return inTemporaryFolder(async (temporary) => {
    const { embedder } = await openEmbedder();
    const engine = await openEngine({ database: path.join(temporary, 'waymark.db'), model: embedder });
    try {
      // As many texts at once as there are cores: each starts a process.
      if (warm) await embedder.embedPassages(Array.from({ length: availableParallelism() }, (_, i) => `Warm-up ${i}`));
      const before = cpuSeconds();
      const events: PhaseEvent[] = [];
      const started = performance.now();
      const now = () => (performance.now() - started) / 1000;
      await engine.indexFolder(folder, { onProgress: ({ phase }) => events.push({ phase, at: now() }) });
      const seconds = now();
      const cpu = difference(before, cpuSeconds());
      const { passages, bytes } = await engine.status();
      return { seconds, passages, bytes: bytes ?? 0, phases: phasesOf(events, { end: seconds }), cpu };
    } finally {
      await engine.close();
    }
  });
}

function cpuSeconds(): CpuSeconds | undefined {
  const main = cpuSecondsOf(process.pid);
  const ended = cpuSecondsOfEnded(process.pid);
  if (main === undefined || ended === undefined) return undefined;
  const [parsers, models] = [true, false].map((wanted) =>
    childrenOf(process.pid)
      .filter((pid) => isParser(pid) === wanted)
      .reduce((sum, pid) => sum + (cpuSecondsOf(pid) ?? 0), 0),
  );
  // Parse processes end when they are idle; embedding processes, when the engine is closed.
  return { model: models ?? 0, parsing: (parsers ?? 0) + ended, main };
}

function difference(before: CpuSeconds | undefined, after: CpuSeconds | undefined): CpuSeconds | undefined {
  if (!before || !after) return undefined;
  return {
    model: after.model - before.model,
    parsing: after.parsing - before.parsing,
    main: after.main - before.main,
  };
}
