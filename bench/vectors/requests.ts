import type { Place } from './sides/side.js';

/** What the process of a side is asked, one after the other. */
export type Request =
  | { readonly ask: 'build'; readonly name: string; readonly place: Place }
  | { readonly ask: 'open'; readonly name: string; readonly place: Place }
  | { readonly ask: 'use'; readonly setting: number }
  | { readonly ask: 'round'; readonly round: Round };

export interface Round {
  readonly queries: readonly Float32Array[];
  readonly limit: number;
  readonly below: number | undefined;
}

export interface Built {
  readonly seconds: number;
  /** Why it cannot be stored. */
  readonly unstored?: string;
}

export interface Opened {
  readonly seconds: number;
  /** Bytes that the process holds more than before, after a first search. */
  readonly memory: number;
  readonly settings: readonly string[];
  readonly filters: boolean;
}

/** Of each query, in order. */
export interface Answered {
  readonly milliseconds: readonly number[];
  readonly ids: readonly (readonly number[])[];
}

export type Reply = { readonly value: unknown } | { readonly failed: string };
