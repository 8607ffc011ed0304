import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { MODEL_FOLDER } from '../support/folders/paths.js';
import { replyOf, startProcess, stopProcess } from '../support/processes/node-process.js';
import { cpuSecondsOf } from '../support/processes/proc.js';

/** What a process receives before the clock starts. */
export interface BareLoad {
  readonly weights: string;
  readonly ids: readonly (readonly number[])[];
}

/** Texts to embed, by their positions in the list. */
export interface BareRange {
  readonly from: number;
  readonly to: number;
}

/** Texts per message: few, so that the processes end together, but enough that messages cost nothing. */
const RANGE = 8;

export interface Bare {
  readonly seconds: number;
  /** CPU seconds of all processes; undefined without /proc. */
  readonly cpu: number | undefined;
}

/** Embeds texts, given as token ids, with bare sessions of the model: one process per core, with one thread each. */
export async function bareModel(ids: readonly (readonly number[])[]): Promise<Bare> {
  const weights = path.join(MODEL_FOLDER, 'onnx', 'model_quantized.onnx');
  const children = Array.from({ length: availableParallelism() }, () =>
    startProcess(new URL('./bare-process.ts', import.meta.url)),
  );
  try {
    await Promise.all(
      children.map((child) => {
        child.send({ weights, ids } satisfies BareLoad);
        return replyOf(child);
      }),
    );
    const before = cpuOf(children);
    let next = 0;
    const started = performance.now();
    await Promise.all(
      children.map(async (child) => {
        const sendNext = () => {
          const from = next;
          next = Math.min(next + RANGE, ids.length);
          if (from < next) child.send({ from, to: next } satisfies BareRange);
          return from < next;
        };
        // Two ranges in flight: the process always has one queued while it runs the other.
        let inFlight = [sendNext(), sendNext()].filter(Boolean).length;
        while (inFlight > 0) {
          await replyOf(child);
          if (!sendNext()) inFlight -= 1;
        }
      }),
    );
    const seconds = (performance.now() - started) / 1000;
    const after = cpuOf(children);
    return { seconds, cpu: before === undefined || after === undefined ? undefined : after - before };
  } finally {
    await Promise.all(children.map(stopProcess));
  }
}

function cpuOf(children: readonly ChildProcess[]): number | undefined {
  const used = children.map(({ pid = 0 }) => cpuSecondsOf(pid)).filter((seconds) => seconds !== undefined);
  return used.length < children.length ? undefined : used.reduce((sum, seconds) => sum + seconds, 0);
}
