import { type Operation, SLOTS, type Slot } from './operation.js';

/** How an operation ended. The outcome of one whose process was killed is unknown. */
export type Outcome =
  | { readonly ended: 'done'; readonly failed?: readonly string[]; readonly removed?: boolean }
  | { readonly ended: 'refused'; readonly code: string }
  | { readonly ended: 'unknown' };

/** An operation that ended, and the version of the text or tag that it wrote. */
export interface Attempt {
  readonly operation: Operation;
  readonly version: number;
  readonly outcome: Outcome;
}

/** An attempt, or one of the two requests of an upload over HTTP: others may take effect between them. */
interface Event extends Attempt {
  readonly request?: 'announce' | 'put' | undefined;
}

/** A file that must be there. */
export interface ExpectedFile {
  readonly owner: 'caller' | 'folder';
  /** The version of its bytes; `unknown` after its passages were set. */
  readonly content: number | 'none' | 'unknown';
  /** The version of its passages once it is indexed. */
  readonly found: number | 'none' | 'unknown';
  /** The version of the tag that a patch set. */
  readonly patch: number | 'none' | 'unknown';
  /** Milliseconds since the epoch. */
  readonly expires?: number | undefined;
}

/** One of the states that a slot may be in, given what was acknowledged. */
export interface State {
  readonly bot: boolean;
  /** The version on disk. */
  readonly disk: number | undefined;
  readonly file: ExpectedFile | undefined;
}

/** The time of a step, and the latest time before it: what has expired once may have been removed. */
export interface Clock {
  readonly now: number;
  readonly latest: number;
}

/** How all operations of a step are seen from one slot. */
interface Seen extends Clock {
  readonly slot: Slot;
  /** Whether the file changed on disk or was given a text during the step: a folder run may then fail to read it. */
  readonly disturbed: boolean;
  /** Whether a file was being uploaded during the step: others see it as announced before its upload has ended. */
  readonly announced: boolean;
  /** Whether a file has expired that may still be removed. */
  readonly lapsed: boolean;
}

/**
 * Knows what was acknowledged: the states that each slot may be in. Operations of one step may have taken effect in any
 * order; those of different steps only in theirs.
 */
export class Oracle {
  readonly #states = new Map<Slot, readonly State[]>(
    SLOTS.map((slot) => [slot, [{ bot: true, disk: undefined, file: undefined }]]),
  );

  /** Takes the operations of a step; returns the slots whose outcomes no order explains. */
  take(attempts: readonly Attempt[], clock: Clock): Slot[] {
    return SLOTS.filter((slot) => {
      const own = attempts.filter(({ operation }) => concerns(operation, slot));
      if (own.length === 0) return false;
      const has = (...kinds: readonly string[]) => own.some(({ operation: { kind } }) => kinds.includes(kind));
      const raw = this.#states.get(slot) ?? [];
      const seen: Seen = {
        ...clock,
        slot,
        disturbed: has('write', 'unlink', 'rename', 'indexFile', 'upload', 'put', 'setPassages'),
        announced: has('upload', 'announce'),
        lapsed: raw.some(({ file }) => file?.expires !== undefined && file.expires <= clock.latest),
      };
      const before = this.at(slot, clock);
      const after = ordersOf(own.map(eventsOf)).flatMap((order) => inOrder(before, order, seen));
      // A run over the folder does not remove what has expired: it is there again if the clock is put back.
      const isRun = own.every(({ operation: { kind } }) => kind === 'indexFolder');
      this.#states.set(slot, distinct([...after, ...(isRun ? raw : [])]));
      return after.length === 0;
    });
  }

  /** The states that a slot may be in at a time. */
  at(slot: Slot, clock: Clock): readonly State[] {
    return distinct((this.#states.get(slot) ?? []).flatMap((state) => expired(state, clock)));
  }
}

function concerns(operation: Operation, slot: Slot): boolean {
  const isOther = slot.startsWith('other/');
  if (operation.kind === 'indexFolder') return !isOther;
  if (operation.kind === 'createBot' || operation.kind === 'deleteBot') return isOther;
  if (operation.kind === 'rename' && operation.to === slot) return true;
  return 'slot' in operation && operation.slot === slot;
}

/** What takes effect at once, in order. */
function eventsOf(attempt: Attempt): readonly Event[] {
  const { operation, outcome } = attempt;
  const isTwo = operation.kind === 'upload' && operation.via === 'client' && outcome.ended === 'done';
  return isTwo
    ? [
        { ...attempt, request: 'announce' },
        { ...attempt, request: 'put' },
      ]
    : [attempt];
}

function inOrder(states: readonly State[], order: readonly Event[], seen: Seen): readonly State[] {
  return order.reduce<readonly State[]>(
    (reached, attempt) => reached.flatMap((state) => after(state, attempt, seen)).flatMap((s) => expired(s, seen)),
    states,
  );
}

/** The states that an operation may lead to; none if its outcome cannot be explained from this one. */
function after(state: State, { operation, version, outcome, request }: Event, seen: Seen): readonly State[] {
  if (outcome.ended === 'unknown') {
    const done = applied(state, { operation, version, outcome: { ended: 'done' } }, { ...seen, disturbed: true });
    const announced = operation.kind === 'upload' && state.bot ? [{ ...state, file: announce(state.file) }] : [];
    return [state, ...done, ...announced];
  }
  if (outcome.ended === 'done') return applied(state, { operation, version, outcome, request }, seen);
  const { code } = outcome;
  if (operation.kind === 'indexFolder') return [state, ...applied(state, { operation, version, outcome }, seen)];
  if (code === 'FILE_MISSING') return state.file && operation.kind !== 'put' ? [] : [state];
  if (code === 'BOT_MISSING') return state.bot ? [] : [state];
  if (code === 'BOT_EXISTS') return state.bot ? [state] : [];
  return [state];
}

function applied(state: State, { operation, version, outcome, request }: Event, seen: Seen): readonly State[] {
  const { file } = state;
  const to = (next: ExpectedFile | undefined): State[] => [{ ...state, file: next }];
  const owner = file?.owner ?? 'caller';
  // What was done to an announced file, before its upload ended.
  const overtaken = seen.announced ? [state] : [];
  switch (operation.kind) {
    case 'indexFile':
      return [undefined, file?.expires].flatMap((expires) =>
        to({ owner, content: version, found: version, patch: 'none', expires }),
      );
    case 'removeFile':
      if ('removed' in outcome && outcome.removed !== (file !== undefined) && !seen.lapsed && !seen.announced)
        return [];
      return to(undefined);
    case 'write':
      return [{ ...state, disk: version }];
    case 'unlink':
      return [{ ...state, disk: undefined }];
    case 'rename':
      return [{ ...state, disk: operation.to === seen.slot ? version : undefined }];
    case 'indexFolder':
      return indexed(state, outcome, seen);
    case 'upload': {
      if (!state.bot) return [];
      const found = operation.index ? version : 'none';
      if (request === 'announce') return to({ ...announce(file), expires: deadline(operation, seen) });
      if (request === 'put') return file ? to({ ...file, content: version, found }) : [];
      return to({ owner, content: version, found, patch: 'none', expires: deadline(operation, seen) });
    }
    case 'announce':
      return state.bot ? to(announce(file)) : [];
    case 'put':
      return file ? to({ ...file, content: version, found: version }) : [];
    case 'patch':
      if (!file) return overtaken;
      return to({ ...file, patch: version, ...(operation.lives && { expires: deadline(operation, seen) }) });
    case 'setPassages':
      return file ? to({ ...file, content: 'unknown', found: version }) : overtaken;
    case 'delete':
      return file ? to(undefined) : overtaken;
    case 'createBot':
      return state.bot ? [] : [{ ...state, bot: true }];
    case 'deleteBot':
      // Of two that delete it together, both have.
      return [{ ...state, bot: false, file: undefined }];
    default:
      return [state];
  }
}

/** What a run over the folder makes of a slot: its file on disk, unless a caller owns the key. */
function indexed(state: State, outcome: Outcome, { slot, disturbed }: Seen): readonly State[] {
  const { file, disk } = state;
  const failed = outcome.ended === 'done' && outcome.failed ? outcome.failed.includes(slot) : undefined;
  const unchanged = failed === true && disturbed ? [state] : [];
  if (disk === undefined) {
    if (failed === true) return unchanged;
    return file?.owner === 'folder' ? [{ ...state, file: undefined }] : [state];
  }
  if (file?.owner === 'caller') return failed === false ? [] : [state];
  if (failed === true) return unchanged;
  const read: ExpectedFile = { owner: 'folder', content: disk, found: disk, patch: 'unknown', expires: undefined };
  return [undefined, file?.expires].map((expires) => ({ ...state, file: { ...read, expires } }));
}

/** A file whose content is still to come: what was there may still be found. */
function announce(file: ExpectedFile | undefined): ExpectedFile {
  if (!file) return { owner: 'caller', content: 'none', found: 'none', patch: 'none' };
  return { ...file, found: 'unknown', patch: 'none', expires: undefined };
}

function deadline({ lives }: { readonly lives?: number }, { now }: Clock): number | undefined {
  return lives === undefined ? undefined : now + lives * 1000;
}

/** An expired file is absent; if the clock was put back since, it may be present again. */
function expired(state: State, { now, latest }: Clock): State[] {
  const expires = state.file?.expires;
  const absent = { ...state, file: undefined };
  if (expires === undefined || expires > latest) return [state];
  return expires <= now ? [absent] : [absent, state];
}

/** The orders of all items of some rows, each of which keeps its own order. */
function ordersOf<T>(rows: readonly (readonly T[])[]): (readonly T[])[] {
  const left = rows.filter((row) => row.length > 0);
  if (left.length === 0) return [[]];
  return left.flatMap(([item, ...rest], i) =>
    ordersOf(left.toSpliced(i, 1, rest)).map((order) => [item as T, ...order]),
  );
}

function distinct(states: readonly State[]): State[] {
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
}
