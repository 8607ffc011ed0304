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

/** What is known of an announced upload. */
interface Upload {
  /** The version of its bytes. */
  readonly version: number;
  /** The version of the tag that a patch has set since. */
  readonly patch: number | 'none';
  /** Milliseconds since the epoch. */
  readonly expires?: number | undefined;
}

/** One of the states that a slot may be in, given what was acknowledged. */
export interface State {
  readonly bot: boolean;
  /** The version on disk. */
  readonly disk: number | undefined;
  readonly file: ExpectedFile | undefined;
  /** Uploads of the file whose bytes may still arrive. */
  readonly announced: readonly Upload[];
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
    SLOTS.map((slot) => [slot, [{ bot: true, disk: undefined, file: undefined, announced: [] }]]),
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
      const after = ordersOf(own).flatMap((order) => inOrder(before, order, seen));
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

function inOrder(states: readonly State[], order: readonly Attempt[], seen: Seen): readonly State[] {
  return order.reduce<readonly State[]>(
    (reached, attempt) => reached.flatMap((state) => after(state, attempt, seen)).flatMap((s) => expired(s, seen)),
    states,
  );
}

/** The states that an operation may lead to; none if its outcome cannot be explained from this one. */
function after(state: State, { operation, version, outcome }: Attempt, seen: Seen): readonly State[] {
  if (outcome.ended === 'unknown') {
    const done = applied(state, { operation, version, outcome: { ended: 'done' } }, { ...seen, disturbed: true });
    const announced = operation.kind === 'upload' && state.bot ? [{ ...state, file: announce(state.file) }] : [];
    return [state, ...done, ...announced];
  }
  if (outcome.ended === 'done') return applied(state, { operation, version, outcome }, seen);
  const { code } = outcome;
  if (operation.kind === 'indexFolder') return [state, ...applied(state, { operation, version, outcome }, seen)];
  if (code === 'FILE_MISSING') return state.file && operation.kind !== 'put' ? [] : [state];
  if (code === 'BOT_MISSING') return state.bot ? [] : [state];
  if (code === 'BOT_EXISTS') return state.bot ? [state] : [];
  return [state];
}

function applied(state: State, { operation, version, outcome }: Attempt, seen: Seen): readonly State[] {
  const { file } = state;
  const to = (next: ExpectedFile | undefined): State[] => [{ ...state, ...withFile(state, next) }];
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
      return to({ owner, content: version, found, patch: 'none', expires: deadline(operation, seen) });
    }
    case 'announce':
      if (!state.bot) return [];
      return [{ ...state, file: announce(file), announced: [...state.announced, { version, patch: 'none' }] }];
    case 'put': {
      const upload = state.announced.find((one) => one.version === version);
      if (!file || !upload) return [];
      const { patch, expires } = upload;
      const announced = state.announced.filter((one) => one !== upload);
      return [{ ...state, announced, file: { owner, content: version, found: version, patch, expires } }];
    }
    case 'patch': {
      if (!file) return overtaken;
      const change = { patch: version, ...(operation.lives && { expires: deadline(operation, seen) }) };
      const announced = state.announced.map((upload) => ({ ...upload, ...change }));
      return [{ ...state, announced, file: { ...file, ...change } }];
    }
    case 'setPassages':
      return file ? to({ ...file, content: 'unknown', found: version }) : overtaken;
    case 'delete':
      return file ? to(undefined) : overtaken;
    case 'createBot':
      return state.bot ? [] : [{ ...state, bot: true }];
    case 'deleteBot':
      // Of two that delete it together, both have.
      return [{ ...state, bot: false, file: undefined, announced: [] }];
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
    return file?.owner === 'folder' ? [{ ...state, file: undefined, announced: [] }] : [state];
  }
  if (file?.owner === 'caller') return failed === false ? [] : [state];
  if (failed === true) return unchanged;
  const read: ExpectedFile = { owner: 'folder', content: disk, found: disk, patch: 'unknown', expires: undefined };
  return [undefined, file?.expires].map((expires) => ({ ...state, file: { ...read, expires } }));
}

/** A file whose content is still to come; one that has a content stays as it is until then. */
function announce(file: ExpectedFile | undefined): ExpectedFile {
  if (file && file.content !== 'none') return file;
  return { owner: file?.owner ?? 'caller', content: 'none', found: 'none', patch: 'none' };
}

/** A state with another file; nothing is announced for one that is gone. */
function withFile({ announced }: State, file: ExpectedFile | undefined): Pick<State, 'file' | 'announced'> {
  return { file, announced: file ? announced : [] };
}

function deadline({ lives }: { readonly lives?: number }, { now }: Clock): number | undefined {
  return lives === undefined ? undefined : now + lives * 1000;
}

/** An expired file is absent; if the clock was put back since, it may be present again. */
function expired(state: State, { now, latest }: Clock): State[] {
  const expires = state.file?.expires;
  const absent = { ...state, file: undefined, announced: [] };
  if (expires === undefined || expires > latest) return [state];
  return expires <= now ? [absent] : [absent, state];
}

function ordersOf<T>(items: readonly T[]): (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => ordersOf(items.toSpliced(i, 1)).map((order) => [item, ...order]));
}

function distinct(states: readonly State[]): State[] {
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
}
