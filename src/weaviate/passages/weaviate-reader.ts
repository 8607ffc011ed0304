import { AnswerSize } from '../../domain/answer-size.js';
import { pathFilter } from '../../domain/filters/path-filter.js';
import { passesTags } from '../../domain/filters/tag-filter.js';
import type { EmbeddedPassage, Passage } from '../../domain/passage.js';
import type { PassageEmbedding, ReadOptions } from '../../storage/passage-store.js';
import type { RankedCandidate, ReadPassage, ReadResult, Window } from '../../storage/retrieval.js';
import { type Finder, PAGE } from '../connection/cluster.js';
import { pagesOf } from '../connection/pages-of.js';
import { type FileHead, isSearched, summaryOf } from '../files/file-head.js';
import type { FileHeads } from '../files/file-heads.js';
import type { CandidatePlace, Candidates } from './candidates.js';
import { type PassageBodies, type PassageBody, type PlacedBodies, passageOf } from './passage-bodies.js';
import { numberOfPassage, passageObjectId } from './passage-object.js';
import type { FoundCandidate, PassageObjects } from './passage-objects.js';

/** A ranked candidate with its place. */
interface Placed extends RankedCandidate {
  readonly place: CandidatePlace;
}

/** What a reader reads. */
export interface ReaderParts {
  readonly objects: PassageObjects;
  readonly bodies: PassageBodies;
  readonly heads: FileHeads;
  readonly candidates: Candidates;
  /** Part of each round trip that reads hits. Throws `MODEL_MISMATCH`, `BOT_MISSING`. */
  readonly checkModel: (find: Finder) => Promise<void>;
}

/** Reads passages with their files and neighbours. */
export class WeaviateReader {
  readonly #parts: ReaderParts;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  /**
   * As `PassageStore.read`. One round trip, unless a candidate is gone: then as many more as it takes to fill the
   * limit. Those that are gone are counted among the candidates that were needed.
   */
  async read(ranked: readonly RankedCandidate[], options: ReadOptions): Promise<ReadResult> {
    const { limit, perFile = Number.POSITIVE_INFINITY, context, tags = {}, paths = [] } = options;
    const isIn = pathFilter(paths);
    const passes = (head: FileHead) => isSearched(head) && passesTags(head.tags, tags) && isIn(head.key);
    const size = new AnswerSize('lower limit, or shorten the metadata of the files with updateFileMetadata');
    const passages: ReadPassage[] = [];
    const ofFile = new Map<string, number>();
    let { placed: open, missing } = await this.#place(ranked);
    while (open.length > 0 && passages.length < limit) {
      const next = firstOfEach(open, { limit: limit - passages.length, perFile, ofFile });
      if (next.length === 0) break;
      const taken = new Set(next);
      const rest = open.filter((candidate) => !taken.has(candidate));
      const { found, gone } = await this.#readPlaced(next, { context, size, passes });
      passages.push(...found);
      for (const { file } of found) ofFile.set(file.key, (ofFile.get(file.key) ?? 0) + 1);
      const again = await this.#relocate(gone);
      missing += gone.length - again.length;
      open = [...rest, ...again].sort(byRank);
    }
    return { passages: passages.sort(byRankOfRead), missing };
  }

  /** The passages of a file at some positions, inclusive. */
  async passages(fileId: string, { from, to }: { readonly from: number; readonly to: number }): Promise<Passage[]> {
    const head = await this.#parts.heads.byId(fileId);
    if (!head?.generation || !isSearched(head)) return [];
    const positions = range(Math.max(0, from), Math.min(head.passages - 1, to));
    const places = positions.map((position) => ({ generation: head.generation ?? '', position }));
    const read = await this.#parts.bodies.at(places);
    return places.flatMap((place) => read.get(place) ?? []).map(passageOf);
  }

  /** The embedding of a passage; undefined if searches find no such passage. */
  async embeddingOf(passageId: string): Promise<PassageEmbedding | undefined> {
    const { objects } = this.#parts;
    const id = numberOfPassage(passageId);
    const found = await objects.trip((of) =>
      objects.candidatesWhere(of, of.filter.byProperty('number').equal(id), PAGE),
    );
    const [live] = await this.#live(found);
    return live && { id, embedding: live.vector && Float32Array.from(live.vector) };
  }

  /** The first embedded passages of some files, in the order of the files, then by position. */
  async embedded(heads: readonly FileHead[], limit: number): Promise<EmbeddedPassage[]> {
    const passages: EmbeddedPassage[] = [];
    for (const { id: fileId, key, generation, passages: count } of heads) {
      if (passages.length >= limit) break;
      if (generation === null) continue;
      const [bodies, vectors] = await Promise.all([
        this.#parts.bodies.ofGeneration(generation, count),
        this.#vectors(generation, count),
      ]);
      for (const body of bodies) {
        const embedding = vectors.get(body.position);
        if (embedding) passages.push({ fileId, key, passage: passageOf(body), embedding });
      }
    }
    return passages.slice(0, limit);
  }

  /** Those of some passages that searches find. */
  async #live(found: readonly FoundCandidate[]): Promise<FoundCandidate[]> {
    const heads = await this.#parts.heads.ofKeys(found.map(({ properties }) => properties.key));
    return found.filter(({ properties: { key, generation } }) => {
      const head = heads.get(key);
      return head !== undefined && head.generation === generation && isSearched(head);
    });
  }

  /** The places of ranked candidates, best first. */
  async #place(ranked: readonly RankedCandidate[]): Promise<{ placed: Placed[]; missing: number }> {
    const placed: Placed[] = [];
    const unknown: RankedCandidate[] = [];
    for (const candidate of ranked) {
      const place = this.#parts.candidates.find(candidate.id);
      if (place) placed.push({ ...candidate, place });
      else unknown.push(candidate);
    }
    const located = await this.#locate(unknown);
    return { placed: [...placed, ...located].sort(byRank), missing: unknown.length - located.length };
  }

  /** Where candidates are now; those that are gone are left out. */
  async #locate(candidates: readonly RankedCandidate[]): Promise<Placed[]> {
    const { objects } = this.#parts;
    const located: Placed[] = [];
    for (const wanted of pagesOf(candidates, PAGE)) {
      const found = await objects.trip((of) =>
        objects.candidatesWhere(of, of.filter.byProperty('number').containsAny(wanted.map(({ id }) => id)), PAGE),
      );
      const byNumber = new Map((await this.#live(found)).map((one) => [one.properties.number, one.properties]));
      for (const { id, sum } of wanted) {
        const place = byNumber.get(id);
        if (place) located.push({ id, sum, place });
      }
    }
    return located;
  }

  /**
   * Where candidates are now that are gone from where they were: elsewhere in their files. One whose file has not
   * changed is gone as long as the replica that answers lacks what is read of it.
   */
  async #relocate(gone: readonly Placed[]): Promise<Placed[]> {
    const former = new Map(gone.map(({ id, place }) => [id, place.generation]));
    return (await this.#locate(gone)).filter(({ id, place }) => place.generation !== former.get(id));
  }

  /** Reads candidates with their neighbours; `gone` are those that searches do not find there any more. */
  async #readPlaced(
    candidates: readonly Placed[],
    {
      context,
      size,
      passes,
    }: { readonly context: number; readonly size: AnswerSize; readonly passes: (head: FileHead) => boolean },
  ): Promise<{ found: ReadPassage[]; gone: Placed[] }> {
    const shown = candidates.flatMap(({ place: { generation, position } }) =>
      range(Math.max(0, position - context), position + context).map((at) => ({ generation, position: at })),
    );
    const [heads, bodies] = await this.#parts.objects.cluster.roundTrip((find) =>
      Promise.all([
        this.#parts.heads.read(
          find,
          candidates.map(({ place }) => place.key),
        ),
        this.#parts.bodies.read(find, shown),
        this.#parts.checkModel(find),
      ]),
    );
    const [found, gone]: [ReadPassage[], Placed[]] = [[], []];
    const summaries = new Map<string, ReturnType<typeof summaryOf>>();
    for (const candidate of candidates) {
      const { id, sum, place } = candidate;
      const head = heads.get(place.key);
      const body = bodies.get(place);
      if (!head || !body || head.generation !== place.generation || !passes(head)) {
        gone.push(candidate);
        continue;
      }
      const file = summaries.get(place.key) ?? summaryOf(head);
      if (!summaries.has(place.key)) size.addTexts(JSON.stringify(file.metadata), JSON.stringify(file.tags));
      summaries.set(place.key, file);
      found.push({ id, sum, passage: passageOf(body), file, window: windowOf(bodies, place, context) });
    }
    return { found, gone };
  }

  /** The embeddings of the passages of a generation, by position. */
  async #vectors(generation: string, count: number): Promise<Map<number, Float32Array>> {
    const { objects } = this.#parts;
    const vectors = new Map<number, Float32Array>();
    for (const page of pagesOf(range(0, count - 1), PAGE)) {
      const ids = page.map((position) => passageObjectId(generation, position));
      const found = await objects.trip((of) => objects.where(of, of.filter.byId().containsAny(ids)));
      for (const { properties, vector } of found) {
        if (vector) vectors.set(properties.position, Float32Array.from(vector));
      }
    }
    return vectors;
  }
}

/** A passage with its neighbours, and the text up to the next passage. */
function windowOf(bodies: PlacedBodies, { generation, position }: CandidatePlace, context: number): Window {
  const positions = range(Math.max(0, position - context), position + context);
  const shown = positions.flatMap((at): PassageBody | [] => bodies.get({ generation, position: at }) ?? []);
  let text = '';
  let start: number | undefined;
  let next: number | null = null;
  for (const body of shown) {
    start ??= body.start;
    // Passages that a caller cut may overlap.
    text += body.content.slice(start + text.length - body.start) + body.after;
    next = body.next;
  }
  return { text: next === null ? text : text.slice(0, next - (start ?? 0)), passages: shown.map(passageOf) };
}

/** The best candidates of each file, as many as are still wanted. */
function firstOfEach(
  candidates: readonly Placed[],
  {
    limit,
    perFile,
    ofFile,
  }: {
    readonly limit: number;
    readonly perFile: number;
    /** How many of each file were taken before. */
    readonly ofFile: ReadonlyMap<string, number>;
  },
): Placed[] {
  const counts = new Map(ofFile);
  const first: Placed[] = [];
  for (const candidate of candidates) {
    if (first.length === limit) break;
    const count = counts.get(candidate.place.key) ?? 0;
    if (count >= perFile) continue;
    counts.set(candidate.place.key, count + 1);
    first.push(candidate);
  }
  return first;
}

function byRank(a: Placed, b: Placed): number {
  return b.sum - a.sum || compare(a.place.key, b.place.key) || a.place.position - b.place.position;
}

function byRankOfRead(a: ReadPassage, b: ReadPassage): number {
  return b.sum - a.sum || compare(a.file.key, b.file.key) || a.passage.position - b.passage.position;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}
