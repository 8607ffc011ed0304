import type { Place } from './contenders/contender.js';

/** What the process of a contender is asked, one request at a time. */
export type Request =
  | { readonly type: 'build'; readonly name: string; readonly place: Place }
  | { readonly type: 'open'; readonly name: string; readonly place: Place }
  | { readonly type: 'use'; readonly setting: number }
  | { readonly type: 'round'; readonly round: Round };

/** Queries to time. `below` is the bucket that limits the filter; undefined for no filter. */
export interface Round {
  readonly queries: readonly Float32Array[];
  readonly limit: number;
  readonly below: number | undefined;
}

export interface Built {
  readonly seconds: number;
  /** Why the index cannot be stored, if so. */
  readonly unstored?: string;
}

export interface Opened {
  readonly seconds: number;
  /** Bytes that opening and a first search added to resident memory. */
  readonly memory: number;
  readonly settings: readonly string[];
  readonly filters: boolean;
}

/** Times and ids by query, in order. */
export interface Answered {
  readonly milliseconds: readonly number[];
  readonly ids: readonly (readonly number[])[];
}

export type Reply = { readonly value: unknown } | { readonly failed: string };
