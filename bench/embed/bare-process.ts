// A process with a bare session of the model: it embeds texts, given as token ids, one per run, and discards the
// results.
import ort from 'onnxruntime-node';
import type { BareLoad, BareRange } from './bare-model.js';

async function load({ weights, ids }: BareLoad): Promise<(range: BareRange) => Promise<void>> {
  // The options of src/embed/processes/loaded-model.ts.
  const session = await ort.InferenceSession.create(weights, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    enableMemPattern: false,
  });
  const texts = ids.map((row) => BigInt64Array.from(row, BigInt));
  const run = async (text: BigInt64Array) => {
    const tensor = (data: BigInt64Array) => new ort.Tensor('int64', data, [1, data.length]);
    await session.run({
      input_ids: tensor(text),
      attention_mask: tensor(new BigInt64Array(text.length).fill(1n)),
      token_type_ids: tensor(new BigInt64Array(text.length)),
    });
  };
  // The first runs allocate.
  for (const text of texts.slice(0, 2)) await run(text);
  return async ({ from, to }) => {
    for (const text of texts.slice(from, to)) await run(text);
  };
}

let turn: Promise<unknown> = Promise.resolve();
let run: Awaited<ReturnType<typeof load>> | undefined;

process.on('disconnect', () => process.exit());
process.on('message', (message: BareLoad | BareRange) => {
  turn = turn.then(async () => {
    if ('weights' in message) run = await load(message);
    else await run?.(message);
    process.send?.('done');
  });
});
