// The program of an embedding process, which ProcessPool starts. Its argument is the model to load, as JSON;
// protocol.ts describes its messages.
import { setImmediate } from 'node:timers/promises';
import type { Model } from '../model/model.js';
import { LoadedModel } from './loaded-model.js';
import type { Job, Start } from './protocol.js';

// Ctrl-C reaches every process of the terminal, but the parent decides when this one ends.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
const loading = LoadedModel.load(JSON.parse(process.argv[2] ?? '') as Model);
loading.then(
  () => process.send?.({ loaded: true } satisfies Start),
  (unloadable: unknown) => process.send?.({ unloadable } satisfies Start, () => process.exit()),
);

const urgent: Job[] = [];
const passages: Job[] = [];
let working = false;
process.on('message', (job: Job) => {
  (job.kind === 'passage' ? passages : urgent).push(job);
  // Rejects only when the model cannot be loaded, which is reported above.
  if (!working) work().catch(() => {});
});

/** Runs the jobs one after the other, receiving messages in between, so that queries overtake passages. */
async function work(): Promise<void> {
  working = true;
  const model = await loading;
  for (let job = next(); job; job = next()) {
    process.send?.(await model.run(job));
    await setImmediate();
  }
  working = false;
}

function next(): Job | undefined {
  return urgent.shift() ?? passages.shift();
}
