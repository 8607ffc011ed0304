import fc from 'fast-check';
import { TORTURE } from '../torture.js';
import { type Faults, histories, printed, type Step } from './operation.js';

/** `WAYMARK_SEED=<seed>:<path>` runs the history again that printed it. */
const [SEED, PATH] = process.env.WAYMARK_SEED?.split(/:(.*)/) ?? [];

/** The short form plays the same histories each time: a red run of `npm test` must be one that can be repeated. */
const SHORT_FORM = 20_260_101;

/** Runs random histories; the first that fails is shrunk, printed, and can be run again by its seed. */
export async function eachHistory(
  { runs, faults }: { readonly runs: number; readonly faults: Faults },
  run: (steps: readonly Step[]) => Promise<void>,
): Promise<void> {
  const fresh = TORTURE ? {} : { seed: SHORT_FORM };
  const replayed = SEED === undefined ? fresh : { seed: Number(SEED), ...(PATH && { path: PATH }) };
  const property = fc.asyncProperty(histories(faults), run);
  const { failed, counterexample, errorInstance, seed, counterexamplePath } = await fc.check(property, {
    numRuns: runs,
    ...replayed,
  });
  if (!failed) return;
  const steps = counterexample?.[0] ?? [];
  const reason =
    errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : String(errorInstance);
  throw new Error(`WAYMARK_SEED=${seed}:${counterexamplePath} fails:\n${printed(steps)}\n${reason}`);
}
