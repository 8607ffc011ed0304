import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Worker, WorkerPool } from '#src/indexing/parsing/worker-pool.js';

const CLOSED = 'closed';
const DIED = 'worker died';
const NO_WORKER = 'no worker can start';
const BAD_TEXT = 'bad text';
const MISUSED = 'lent while busy or ended';

/** What a text does to the worker that parses it. */
type Text = 'parses' | 'throws' | 'kills' | 'hangs' | 'finishes as it kills';

/** A worker whose every step waits for the scheduler, so that steps of all workers interleave in any order. */
class ModelWorker implements Worker {
  ended = false;
  readonly #s: fc.Scheduler;
  readonly #onEnd: () => void;
  #busy = false;
  #fail: (error: Error) => void = () => {};

  constructor(s: fc.Scheduler, onEnd: () => void) {
    this.#s = s;
    this.#onEnd = onEnd;
  }

  /** Rejects as soon as the worker ends. A text that hangs is given up after a while, which ends the worker. */
  async run(text: Text): Promise<string> {
    if (this.#busy || this.ended) throw new Error(MISUSED);
    this.#busy = true;
    const died = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    died.catch(() => {});
    try {
      await Promise.race([died, this.#s.schedule(Promise.resolve(), text)]);
      if (text === 'throws') throw new Error(BAD_TEXT);
      if (text === 'kills') this.exit();
      if (text === 'kills') await died;
      if (text === 'finishes as it kills') this.exit();
      if (text === 'hangs') await this.end();
      return text;
    } finally {
      this.#busy = false;
    }
  }

  async end(): Promise<void> {
    await this.#s.schedule(Promise.resolve(), 'end');
    this.exit();
  }

  exit(): void {
    if (this.ended) return;
    this.ended = true;
    this.#onEnd();
    this.#fail(new Error(DIED));
  }

  hold(): void {}
  release(): void {}
}

/** How each text ends if nothing else happens to its worker. */
const ENDS: Record<Text, string> = {
  parses: 'parses',
  throws: BAD_TEXT,
  kills: DIED,
  hangs: 'hangs',
  'finishes as it kills': 'finishes as it kills',
};

type Step = Text | 'crash' | 'retire' | 'close';

/** What happens, and to which of the workers that it may happen to. */
const steps = fc.array(
  fc.record({
    step: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<Step>('parses', 'throws', 'kills', 'hangs', 'finishes as it kills') },
      { weight: 3, arbitrary: fc.constantFrom<Step>('crash', 'retire', 'retire') },
      { weight: 1, arbitrary: fc.constant<Step>('close') },
    ),
    which: fc.nat(2),
  }),
  { minLength: 1, maxLength: 16 },
);

test('whatever workers do and in whatever order, no text is left waiting and no worker is left over', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.record({
        size: fc.integer({ min: 1, max: 3 }),
        steps,
        unstartable: fc.array(fc.nat(5), { maxLength: 3 }),
        // Workers that end soon after they start, like those whose modules cannot be loaded.
        stillborn: fc.array(fc.nat(5), { maxLength: 2 }),
      }),
      async (s, { size, steps, unstartable, stillborn }) => {
        const workers: ModelWorker[] = [];
        const timers = new Set<() => void>();
        let starts = 0;
        const pool = new WorkerPool<ModelWorker>({
          size,
          start: (onEnd) => {
            const start = starts++;
            if (unstartable.includes(start)) throw new Error(NO_WORKER);
            const worker = new ModelWorker(s, onEnd);
            if (stillborn.includes(start)) void s.schedule(Promise.resolve(), 'is stillborn').then(() => worker.exit());
            workers.push(worker);
            expect(workers.filter(({ ended }) => !ended).length).toBeLessThanOrEqual(size);
            return worker;
          },
          whenIdle: (retire) => {
            timers.add(retire);
            return () => timers.delete(retire);
          },
          closedError: () => new Error(CLOSED),
        });

        const ends: { text: Text; end: string | undefined }[] = [];
        const submit = (text: Text) => {
          const one = { text, end: undefined as string | undefined };
          ends.push(one);
          pool
            .use((worker) => worker.run(text))
            .then(
              (end) => {
                one.end = end;
              },
              (error: Error) => {
                one.end = error.message;
              },
            );
        };
        const retireOne = (which = 0) => {
          const retire = [...timers][which % timers.size];
          if (retire) timers.delete(retire);
          retire?.();
        };
        const happened = new Set<Step>();
        let closing: Promise<void> | undefined;
        for (const { step, which } of steps) {
          void s.schedule(Promise.resolve(), step).then(() => {
            happened.add(step);
            const running = workers.filter(({ ended }) => !ended);
            if (step === 'crash') running[which % running.length]?.exit();
            else if (step === 'retire') retireOne(which);
            else if (step === 'close') closing = Promise.all([closing, pool.close()]).then(() => {});
            else submit(step);
          });
        }

        await s.waitIdle();
        for (const { text, end } of ends) {
          const possible = [ENDS[text]];
          if (happened.has('crash') || stillborn.length > 0) possible.push(DIED);
          if (happened.has('close')) possible.push(CLOSED);
          if (unstartable.length > 0) possible.push(NO_WORKER);
          expect(possible).toContain(end);
        }
        while (timers.size > 0) retireOne();
        await s.waitIdle();
        expect(workers.filter(({ ended }) => !ended)).toEqual([]);
        await closing;
        if (closing) await expect(pool.use((worker) => worker.run('parses'))).rejects.toThrow(CLOSED);
      },
    ),
    { numRuns: 1000 },
  );
});

/** A pool of one worker that ends when told to; texts are parsed when told to. */
function poolOfOne() {
  const started: { onEnd: () => void }[] = [];
  const retirements: (() => void)[] = [];
  const pool = new WorkerPool({
    size: 1,
    start: (onEnd) => {
      const worker = { onEnd, end: async () => onEnd(), hold() {}, release() {} };
      started.push(worker);
      return worker;
    },
    whenIdle: (retire) => {
      retirements.push(retire);
      return () => {};
    },
    closedError: () => new Error(CLOSED),
  });
  return { pool, started, retirements };
}

test('a worker is used again, and idle workers before new ones', async () => {
  const { pool, started } = poolOfOne();
  expect([await pool.use(async () => 1), await pool.use(async () => 2), started.length]).toEqual([1, 2, 1]);
});

test('texts are served in the order in which they came', async () => {
  const { pool } = poolOfOne();
  const served: number[] = [];
  await Promise.all([1, 2, 3, 4].map((i) => pool.use(async () => served.push(i))));
  expect(served).toEqual([1, 2, 3, 4]);
});

test('a text that comes while the only worker retires gets the next worker', async () => {
  const { pool, started, retirements } = poolOfOne();
  await pool.use(async () => 'first');
  retirements[0]?.();
  expect([await pool.use(async () => 'second'), started.length]).toEqual(['second', 2]);
});

test('the text after one that killed its worker gets the next worker', async () => {
  const { pool, started } = poolOfOne();
  const killed = pool.use(async () => {
    started[0]?.onEnd();
    throw new Error(DIED);
  });
  const next = pool.use(async () => 'next');
  await expect(killed).rejects.toThrow(DIED);
  expect([await next, started.length]).toEqual(['next', 2]);
});

test('a text that is parsed while the pool closes fails like those that wait', async () => {
  const { pool } = poolOfOne();
  let finish = () => {};
  const parsed = pool.use(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  const waiting = pool.use(async () => 'waiting');
  waiting.catch(() => {});
  await Promise.resolve();
  const closing = pool.close();
  finish();
  await expect(parsed).rejects.toThrow(CLOSED);
  await expect(waiting).rejects.toThrow(CLOSED);
  await closing;
});
