import fc from 'fast-check';

/** A file of the main bot, or with `other/` in front of the other bot. Only files of the main bot are on disk. */
export type Slot = 'a.md' | 'f.md' | 'g.md' | 'other/a.md';

export const SLOTS: readonly Slot[] = ['a.md', 'f.md', 'g.md', 'other/a.md'];

/** Who is asked: a host in process, or its service over HTTP. */
export type Via = 'host' | 'client';

/** What is done to a slot, through the library, the host, the service, or on disk. */
export type Operation =
  | { readonly kind: 'indexFile' | 'removeFile'; readonly slot: Slot }
  | { readonly kind: 'write' | 'unlink'; readonly slot: Slot }
  | { readonly kind: 'rename'; readonly slot: Slot; readonly to: Slot }
  | { readonly kind: 'indexFolder' }
  | {
      readonly kind: 'upload';
      readonly via: Via;
      readonly slot: Slot;
      readonly index: boolean;
      readonly lives?: number;
    }
  | { readonly kind: 'announce' | 'put'; readonly via: Via; readonly slot: Slot }
  | { readonly kind: 'patch'; readonly via: Via; readonly slot: Slot; readonly lives?: number }
  | { readonly kind: 'setPassages' | 'delete'; readonly via: Via; readonly slot: Slot }
  | { readonly kind: 'search'; readonly via: Via | 'engine' }
  | { readonly kind: 'createBot' | 'deleteBot' }
  | { readonly kind: 'kill' | 'pause'; readonly whom: Whom }
  | Alone;

/** What happens to the world while nothing else begins. Uploads may still be waiting to be indexed. */
type Alone =
  | { readonly kind: 'clock'; readonly seconds: number }
  | { readonly kind: 'embedder'; readonly mood: Mood }
  | { readonly kind: 'disk'; readonly full: boolean }
  | { readonly kind: 'drain' | 'restart' };

/** A process of the world: the one of the library, or the service. */
export type Whom = 'library' | 'service';

/** How the embedder answers: after a number of turns of the event loop, and with failures for the next requests. */
export interface Mood {
  readonly turns: number;
  readonly failures: number;
}

/** An operation and the number of turns of the event loop before it begins. */
export interface Begun {
  readonly operation: Operation;
  readonly after: number;
}

/** Operations that begin together; the next step begins when all of them have been answered. */
export type Step = readonly Begun[];

/** Where the faults of a history come from. */
export interface Faults {
  /** The clock of the process jumps; files differ in size then, since the clock of the disk does not follow. */
  readonly clock?: true;
  readonly disk?: true;
  /** Processes are killed or paused. */
  readonly processes?: true;
}

const via = fc.constantFrom<Via>('host', 'client');

/** Seconds until a file expires: only a clock that jumps reaches them. */
const lives = fc.option(fc.constantFrom(300, 6000), { nil: undefined, freq: 2 });

function kind<Kind extends string>(...kinds: readonly Kind[]): fc.Arbitrary<Kind> {
  return fc.constantFrom(...kinds);
}

/** An operation on one of some slots; the library knows only the main bot, and a.md is never on disk. */
function operationOn(slots: readonly Slot[], { processes }: Faults): fc.Arbitrary<Operation> {
  const slot = fc.constantFrom(...slots);
  const main = slots.filter((one) => !one.startsWith('other/'));
  const onDisk = main.filter((one) => one !== 'a.md');
  const weighed: { weight: number; arbitrary: fc.Arbitrary<unknown> }[] = [
    {
      weight: 4,
      arbitrary: fc.record(
        { kind: kind('upload'), via, slot, index: fc.constantFrom(true, true, true, false), lives },
        { requiredKeys: ['kind', 'via', 'slot', 'index'] },
      ),
    },
    { weight: 2, arbitrary: fc.record({ kind: kind('announce', 'put'), via, slot }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: kind('patch'), via, slot, lives }, { requiredKeys: ['kind', 'via', 'slot'] }),
    },
    { weight: 3, arbitrary: fc.record({ kind: kind('setPassages', 'delete', 'delete'), via, slot }) },
    { weight: 2, arbitrary: fc.record({ kind: kind('search'), via: fc.constantFrom('engine', 'host', 'client') }) },
  ];
  if (main.length > 0) {
    const kinds = kind('indexFile', 'indexFile', 'removeFile');
    weighed.push({ weight: 5, arbitrary: fc.record({ kind: kinds, slot: fc.constantFrom(...main) }) });
  }
  if (onDisk.length > 0) {
    const here = fc.constantFrom(...onDisk);
    weighed.push(
      { weight: 3, arbitrary: fc.record({ kind: kind('write', 'write', 'unlink'), slot: here }) },
      { weight: 1, arbitrary: fc.constantFrom(...MOVES) },
      { weight: 5, arbitrary: fc.record({ kind: kind('indexFolder') }) },
    );
  }
  if (slots.includes('other/a.md')) {
    weighed.push({ weight: 1, arbitrary: fc.record({ kind: kind('createBot', 'deleteBot') }) });
  }
  if (processes) {
    const whom = fc.constantFrom<Whom>('library', 'service');
    weighed.push({ weight: 3, arbitrary: fc.record({ kind: kind('kill', 'kill', 'pause'), whom }) });
  }
  return fc.oneof(...weighed) as fc.Arbitrary<Operation>;
}

const MOVES = [
  { kind: 'rename', slot: 'f.md', to: 'g.md' },
  { kind: 'rename', slot: 'g.md', to: 'f.md' },
] as const;

const moods = fc.constantFrom<Mood>(
  { turns: 0, failures: 0 },
  { turns: 30, failures: 0 },
  { turns: 3, failures: 1 },
  { turns: 0, failures: 100 },
);

function alone({ clock, disk }: Faults): fc.Arbitrary<Alone> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: kind('drain', 'restart') }) },
    { weight: 2, arbitrary: fc.record({ kind: kind('embedder'), mood: moods }) },
    ...(clock
      ? [{ weight: 4, arbitrary: fc.record({ kind: kind('clock'), seconds: fc.constantFrom(-400, 400, 400, 8000) }) }]
      : []),
    ...(disk ? [{ weight: 4, arbitrary: fc.record({ kind: kind('disk'), full: fc.boolean() }) }] : []),
  );
}

/** Histories with certain faults: one operation at a time, or up to three on one slot together. */
export function histories(faults: Faults): fc.Arbitrary<readonly Step[]> {
  const begun = (operation: fc.Arbitrary<Operation>, after: fc.Arbitrary<number>) => fc.record({ operation, after });
  const now = fc.constant(0);
  const after = fc.oneof(now, fc.nat(60));
  const several = SLOTS.map((slot) =>
    fc.array(begun(operationOn([slot], faults), after), { minLength: 2, maxLength: 3 }),
  );
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(begun(operationOn(SLOTS, faults), now)) },
    { weight: 4, arbitrary: fc.oneof(...several) },
    { weight: 2, arbitrary: fc.tuple(begun(alone(faults), now)) },
  );
  return fc.array(step, { minLength: 1, maxLength: 14, size: 'max' });
}

/** A history as it is printed: a step a line. */
export function printed(steps: readonly Step[]): string {
  const one = ({ operation: { kind, ...rest }, after }: Begun) => {
    const values = Object.entries(rest).filter(([, value]) => value !== undefined);
    const given = values.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ');
    return [kind, given, after > 0 ? `after ${after}` : ''].filter((part) => part !== '').join(' ');
  };
  return steps.map((step, i) => `  ${i + 1}. ${step.map(one).join('\n   | ')}`).join('\n');
}
