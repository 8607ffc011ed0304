import type { FilterValue } from 'weaviate-client';
import { MAX_NAMED_PASSAGES, POSTING_BUDGET } from '../../text/bm25.js';
import type { Objects } from '../connection/objects.js';
import { SAMPLES } from './passage-object.js';
import type { PassageObjects } from './passage-objects.js';

/** What is true of all passages together. */
export interface Totals {
  readonly passages: number;
  /** Length of all passages in terms. */
  readonly terms: number;
  readonly embedded: number;
  /** Differs after every change. */
  readonly fingerprint: string;
}

/** In how many passages a stem occurs. */
export interface Frequency {
  /** In the breadcrumb or the text; at most one more than the posting budget. */
  readonly passages: number;
  /** As a name of the file; 0 if so many files have it that it does not tell them apart. */
  readonly named: number;
}

interface Counted extends Frequency {
  readonly totals: Totals;
  /** When it was counted, in milliseconds of the process's clock. */
  readonly at: number;
}

/** Maximum number of cached stems. */
const CACHED = 50_000;

/** Passages above which a sample is counted first: Weaviate reads each passage that it counts. */
const SAMPLED_FROM = 20_000;

/** Passages that may be added or removed before a frequent stem is counted again, as a share of its frequency. */
const DRIFT = 1 / 1000;

/** Milliseconds after which it is counted again all the same: passages that are replaced do not change their number. */
const RECOUNTED_AFTER = 60_000;

/**
 * Counts in how many passages stems occur. Weaviate takes longer for a stem the more passages it is in, so counts are
 * kept: until anything changes, and those of frequent stems until the change may matter.
 */
export class TermFrequencies {
  readonly #objects: PassageObjects;
  /** Least recently used first. */
  readonly #counted = new Map<string, Counted>();
  #totals: Totals | undefined;

  constructor(objects: PassageObjects) {
    this.#objects = objects;
  }

  /** The totals that were read last; reads them if none were. */
  async lastTotals(): Promise<Totals> {
    return this.#totals ?? this.readTotals();
  }

  async readTotals(): Promise<Totals> {
    return this.#objects.trip((objects) => this.totals(objects));
  }

  /** Reads the totals; call it in a round trip. */
  async totals(objects: Objects): Promise<Totals> {
    const { aggregate, metrics } = objects;
    const { totalCount, properties } = await aggregate.overAll({
      returnMetrics: [
        metrics.aggregate('terms').number(['sum']),
        metrics.aggregate('salt').number(['sum']),
        metrics.aggregate('pending').number(['count']),
      ],
    });
    const { terms, salt, pending } = properties as Record<string, { sum?: number; count?: number } | undefined>;
    const [sum, embedded] = [terms?.sum ?? 0, totalCount - (pending?.count ?? 0)];
    const fingerprint = `${totalCount} ${sum} ${salt?.sum ?? 0}`;
    this.#totals = { passages: totalCount, terms: sum, embedded, fingerprint };
    return this.#totals;
  }

  /** The frequency of each stem, as of some totals. */
  async of(stems: readonly string[], totals: Totals): Promise<Frequency[]> {
    const unknown = [...new Set(stems)].filter((stem) => !this.#isCurrent(this.#counted.get(stem), totals));
    if (unknown.length > 0) {
      const at = performance.now();
      const counts = await this.#objects.trip((objects) =>
        Promise.all(unknown.map((stem) => this.#count(objects, stem, totals))),
      );
      for (const [i, stem] of unknown.entries()) this.#keep(stem, { ...(counts[i] as Frequency), totals, at });
    }
    return stems.map((stem) => this.#counted.get(stem) ?? { passages: 0, named: 0 });
  }

  #isCurrent(counted: Counted | undefined, totals: Totals): boolean {
    if (!counted) return false;
    if (counted.totals.fingerprint === totals.fingerprint) return true;
    // A difference of one in a thousand changes an inverse document frequency by as much. In fewer than a thousand
    // passages, a single one that was replaced makes a greater difference.
    const most = Math.floor(counted.passages * DRIFT);
    const difference = Math.abs(counted.totals.passages - totals.passages);
    return most > 0 && difference <= most && performance.now() - counted.at < RECOUNTED_AFTER;
  }

  #keep(stem: string, counted: Counted): void {
    this.#counted.delete(stem);
    this.#counted.set(stem, counted);
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > CACHED && oldest !== undefined) this.#counted.delete(oldest);
  }

  async #count(objects: Objects, stem: string, totals: Totals): Promise<Frequency> {
    const has = (field: string) => objects.filter.byProperty(field).equal(stem);
    const inText = this.#objects.cluster.filters.or(has('breadcrumbTerms'), has('textTerms'));
    const [passages, named] = await Promise.all([
      this.#countUpTo(objects, { condition: inText, most: POSTING_BUDGET, totals }),
      this.#countUpTo(objects, { condition: has('fileTerms'), most: MAX_NAMED_PASSAGES, totals }),
    ]);
    return { passages, named: named > MAX_NAMED_PASSAGES ? 0 : named };
  }

  /** The number of passages that pass; some number above `most` if those are more. */
  async #countUpTo(
    objects: Objects,
    { condition, most, totals }: { readonly condition: FilterValue; readonly most: number; readonly totals: Totals },
  ): Promise<number> {
    const count = async (filters: FilterValue) => (await objects.aggregate.overAll({ filters })).totalCount;
    if (totals.passages > SAMPLED_FROM) {
      const inSample = objects.filter.byProperty('sample').equal(0);
      const sampled = await count(this.#objects.cluster.filters.and(condition, inSample));
      // Far enough above that the sample cannot be wrong.
      if (sampled * SAMPLES > 2 * most) return most + 1;
    }
    return Math.min(await count(condition), most + 1);
  }
}
