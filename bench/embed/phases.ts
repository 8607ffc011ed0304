import type { IndexProgress } from 'waymark';

/** Seconds of an indexing run. */
export interface Phases {
  /** Until the first file is read: listing and comparing the folder. */
  readonly walk: number;
  /** Reading, parsing and storing, until the first text is embedded. */
  readonly read: number;
  /** Embedding and storing, until the last embedding. */
  readonly embed: number;
  /** From the last embedding until `indexFolder` returns. */
  readonly settle: number;
}

/** A progress event, in seconds since the call. */
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
