import type { IndexProgress } from 'waymark';

/** Seconds of an indexing run. */
export interface Phases {
  /** Until the files to be read are known. */
  readonly walk: number;
  /** Read, cut and stored, until the first text is embedded. */
  readonly read: number;
  /** The model's processes at work. */
  readonly embed: number;
  /** From the last embedding to the return. */
  readonly settle: number;
}

/** When, in seconds since the call, a phase told how far it was. */
export interface PhaseEvent {
  readonly phase: IndexProgress['phase'];
  readonly at: number;
}

export function phasesOf(events: readonly PhaseEvent[], { end }: { readonly end: number }): Phases {
  const read = events[0]?.at ?? end;
  const embedding = events.filter(({ phase }) => phase === 'embed');
  const embed = embedding[0]?.at ?? end;
  const settle = embedding.at(-1)?.at ?? end;
  return { walk: read, read: embed - read, embed: settle - embed, settle: end - settle };
}
