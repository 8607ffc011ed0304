import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { replyOf, startPlain, stopPlain } from '../memory/plain-process.js';
import { cpuSecondsOf } from '../memory/proc.js';
import { MODEL_FOLDER } from './model-folder.js';

/** What a process of the ceiling is given before the clock starts. */
export interface BareLoad {
  readonly weights: string;
  readonly ids: readonly (readonly number[])[];
}

/** Texts that it is to run, by their places. */
export interface BareRange {
  readonly from: number;
  readonly to: number;
}

/** Texts handed out at once: so few that the processes end together, so many that handing out costs nothing. */
const RANGE = 8;

export interface Bare {
  readonly seconds: number;
  /** Of CPU, of all processes; undefined where there is no /proc. */
  readonly cpu: number | undefined;
}

/** What bare sessions of the model, one a core and each with one thread, need for texts given as token ids. */
export async function bareModel(ids: readonly (readonly number[])[]): Promise<Bare> {
  const weights = path.join(MODEL_FOLDER, 'onnx', 'model_quantized.onnx');
  const children = Array.from({ length: availableParallelism() }, () =>
    startPlain(new URL('./bare-process.ts', import.meta.url)),
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
        const hand = () => {
          const from = next;
          next = Math.min(next + RANGE, ids.length);
          if (from < next) child.send({ from, to: next } satisfies BareRange);
          return from < next;
        };
        // A second range waits in the process while the first runs: it never waits for this one.
        let waiting = [hand(), hand()].filter(Boolean).length;
        while (waiting > 0) {
          await replyOf(child);
          if (!hand()) waiting -= 1;
        }
      }),
    );
    const seconds = (performance.now() - started) / 1000;
    const after = cpuOf(children);
    return { seconds, cpu: before === undefined || after === undefined ? undefined : after - before };
  } finally {
    await Promise.all(children.map(stopPlain));
  }
}

function cpuOf(children: readonly ChildProcess[]): number | undefined {
  const used = children.map(({ pid = 0 }) => cpuSecondsOf(pid)).filter((seconds) => seconds !== undefined);
  return used.length < children.length ? undefined : used.reduce((sum, seconds) => sum + seconds, 0);
}
