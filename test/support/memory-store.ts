import { createHash } from 'node:crypto';
import { stemmer } from 'stemmer';
import { assertNotAborted } from '#src/domain/abortable.js';
import { pathFilter } from '#src/domain/filters/path-filter.js';
import { passesTags } from '#src/domain/filters/tag-filter.js';
import type { EmbeddedPassage, FileSummary, Passage } from '#src/domain/passage.js';
import type {
  FileText,
  FileToPut,
  FileTouch,
  FileVersion,
  PassageEmbedding,
  PassageStore,
  PassageToPut,
  PendingPage,
  PendingText,
  PutOptions,
  ReadOptions,
  RemoveOptions,
  SeenFile,
  StoreCounts,
  StoredFile,
  TextEmbedding,
} from '#src/storage/passage-store.js';
import type {
  Candidate,
  LexicalQuery,
  RankedCandidate,
  ReadResult,
  Retrieval,
  Retrieved,
  Window,
} from '#src/storage/retrieval.js';
import {
  BREADCRUMB_WEIGHT,
  bm25,
  chooseTerms,
  FILE_WEIGHT,
  inverseFrequency,
  MAX_NAMED_PASSAGES,
} from '#src/text/bm25.js';
import { fileTerms } from '#src/text/file-terms.js';
import { checkEmbedding } from '#src/vectors/vector-index.js';

interface MemoryPassage extends PassageToPut {
  readonly number: number;
  readonly uuid: string;
  /** Stems of the breadcrumb and of the text. */
  readonly stems: readonly [breadcrumb: readonly string[], text: readonly string[]];
}

interface MemoryFile {
  readonly version: number;
  readonly file: FileToPut;
  readonly summary: FileSummary;
  readonly passages: readonly MemoryPassage[];
}

/** A plain passage store: maps and loops, to keep the port honest and unit tests fast. */
export class MemoryStore implements PassageStore {
  readonly putsAtOnce = 1;
  readonly embedsFirst = false;
  readonly pool = 500;
  readonly #dimensions: number;
  readonly #files = new Map<string, MemoryFile>();
  readonly #texts = new Map<string, { readonly id: number; embedding?: Float32Array }>();
  #created = 0;

  constructor({ dimensions = 2 }: { readonly dimensions?: number } = {}) {
    this.#dimensions = dimensions;
  }

  async files(): Promise<StoredFile[]> {
    return [...this.#files.values()].map(storedFile).sort((a, b) => compare(a.key, b.key));
  }

  async seenFiles(): Promise<SeenFile[]> {
    const files = await this.files();
    return files.flatMap(({ key, folder, size, mtime, ctime }) =>
      folder === null ? [] : [{ key, folder, size, mtime, ctime }],
    );
  }

  async file(key: string): Promise<StoredFile | undefined> {
    const found = this.#files.get(key);
    return found && storedFile(found);
  }

  async retrieve(retrieval: Retrieval): Promise<Retrieved> {
    const { embedding, lexical, tags = {}, paths = [], limit } = retrieval;
    const query = await embedding;
    const isIn = pathFilter(paths);
    const all = [...this.#files.values()].flatMap(({ passages }) => passages);
    const filtered = [...this.#files.values()]
      .filter(({ file }) => passesTags(file.tags, tags) && isIn(file.key))
      .flatMap(({ passages }) => passages);
    const cosine = (passage: MemoryPassage) => {
      const vector = this.#texts.get(passage.text)?.embedding;
      return query && vector ? dot(query, vector) : Number.NaN;
    };
    const named = new Map(
      [...this.#files.values()].flatMap(({ file, passages }) => {
        const stems = new Set([...fileTerms(file)].map(stemmer));
        return passages.map(({ number }) => [number, stems] as const);
      }),
    );
    const index = lexical ? lexicalIndex(lexical, { passages: all, named }) : undefined;
    const nearest = top(filtered, { limit, by: cosine });
    const best = index ? top(filtered, { limit, by: (passage) => index.score(passage) || Number.NaN }) : [];
    const candidates = [...new Set([...nearest, ...best])].map(
      (passage): Candidate => ({
        id: passage.number,
        cosine: cosine(passage),
        occurrences: index?.occurrences(passage) ?? [],
        terms: index ? termsIn(passage) : 0,
        characters: passage.length,
        subtype: passage.subtype,
      }),
    );
    return {
      candidates,
      statistics: {
        passages: all.length,
        meanTerms: index ? mean(all.map(termsIn)) : 0,
        frequencies: index?.frequencies ?? [],
      },
      isFiltered: filtered.length < all.length,
    };
  }

  async text(key: string): Promise<FileText | undefined> {
    const found = this.#files.get(key);
    return found && { id: found.summary.id, key, folder: found.file.folder, text: found.file.text };
  }

  async read(
    ranked: readonly RankedCandidate[],
    { limit, perFile = ranked.length, context, tags = {}, paths = [] }: ReadOptions,
  ): Promise<ReadResult> {
    const isIn = pathFilter(paths);
    const found = ranked.flatMap(({ id, sum }) => {
      const place = this.#place(id);
      const passes = place && passesTags(place.found.file.tags, tags) && isIn(place.found.file.key);
      return passes ? [{ id, sum, ...place }] : [];
    });
    const passages = found
      .sort(
        (a, b) =>
          b.sum - a.sum || compare(a.found.file.key, b.found.file.key) || a.passage.position - b.passage.position,
      )
      .filter(({ found }, i, all) => all.slice(0, i).filter((other) => other.found === found).length < perFile)
      .slice(0, limit)
      .map(({ id, sum, found, passage }) => ({
        id,
        sum,
        passage: passageOf(passage, found.file.text),
        file: found.summary,
        window: windowOf(found, { from: passage.position - context, to: passage.position + context }),
      }));
    return { passages, missing: ranked.length - found.length };
  }

  async passages(fileId: string, range: { readonly from: number; readonly to: number }): Promise<readonly Passage[]> {
    const found = [...this.#files.values()].find(({ summary }) => summary.id === fileId);
    return found ? windowOf(found, range).passages : [];
  }

  async embeddingOf(passageId: string): Promise<PassageEmbedding | undefined> {
    const passages = [...this.#files.values()].flatMap((file) => file.passages);
    const found = passages.find(({ uuid }) => uuid === passageId);
    return found && { id: found.number, embedding: this.#texts.get(found.text)?.embedding };
  }

  async embedded({ tags = {}, paths = [], limit }: Pick<Retrieval, 'tags' | 'paths' | 'limit'>) {
    const isIn = pathFilter(paths);
    const files = [...this.#files.values()].filter(({ file }) => passesTags(file.tags, tags) && isIn(file.key));
    return files
      .sort((a, b) => compare(a.file.key, b.file.key))
      .flatMap(({ file, summary, passages }) =>
        passages.flatMap((passage): EmbeddedPassage[] => {
          const embedding = this.#texts.get(passage.text)?.embedding;
          const { id: fileId, key } = summary;
          return embedding ? [{ fileId, key, passage: passageOf(passage, file.text), embedding }] : [];
        }),
      )
      .slice(0, limit);
  }

  async counts(): Promise<StoreCounts> {
    const files = [...this.#files.values()];
    const passages = files.flatMap((file) => file.passages);
    const folders = [...new Set(files.map(({ file }) => file.folder))].sort((a, b) => compare(a ?? '', b ?? ''));
    return {
      files: files.length,
      passages: passages.length,
      embedded: passages.filter(({ text }) => this.#texts.get(text)?.embedding).length,
      folders: folders.map((folder) => ({ folder, files: files.filter(({ file }) => file.folder === folder).length })),
      warnings: files
        .sort((a, b) => compare(a.file.key, b.file.key))
        .flatMap(({ file: { key, warnings } }) => warnings.map((reason) => ({ key, reason }))),
    };
  }

  async coverage(): Promise<number> {
    const { passages, embedded } = await this.counts();
    return passages === 0 ? 1 : embedded / passages;
  }

  async indexKind(): Promise<'exact'> {
    return 'exact';
  }

  async missing(texts: readonly string[]): Promise<string[]> {
    return this.#missing(texts);
  }

  async keysOf(text: number): Promise<string[]> {
    const [found] = [...this.#texts].find(([, { id }]) => id === text) ?? [];
    return [...this.#files.values()]
      .filter(({ passages }) => passages.some((passage) => passage.text === found))
      .map(({ file: { key } }) => key)
      .sort(compare);
  }

  async put(file: FileToPut, { expected, embeddings }: PutOptions): Promise<boolean> {
    const positions = new Set(file.passages.map(({ position }) => position));
    if (positions.size < file.passages.length) throw new RangeError('two passages have one position');
    for (const embedding of embeddings?.values() ?? []) checkEmbedding(embedding, this.#dimensions);
    const before = this.#files.get(file.key);
    if (!isAt(before, expected)) return false;
    const missing = embeddings && this.#missing(file.passages.map(({ text }) => text));
    if (missing?.some((text) => !embeddings?.has(text))) return false;
    const now = new Date().toISOString();
    const id = before?.summary.id ?? `file_${String(++this.#created).padStart(26, '0')}`;
    const { key, contentType, metadata, tags } = file;
    const createdAt = before?.summary.createdAt ?? now;
    const old = new Map(before?.passages.map((passage) => [passage.uuid, passage]));
    const seen = new Map<string, number>();
    const passages = file.passages.map((passage): MemoryPassage => {
      const occurrence = seen.get(passage.text) ?? 0;
      seen.set(passage.text, occurrence + 1);
      const uuid = uuidOf([id, occurrence, passage.text]);
      const stems = [stemsOf(passage.postings.breadcrumb), stemsOf(passage.postings.text)] as const;
      return { ...passage, uuid, stems, number: old.get(uuid)?.number ?? ++this.#created };
    });
    this.#files.set(key, {
      version: (before?.version ?? 0) + 1,
      file,
      passages,
      summary: { id, key, contentType, metadata, tags, createdAt, updatedAt: now },
    });
    this.#insert(embeddings ?? new Map(), missing ?? []);
    for (const { text } of passages) {
      if (!this.#texts.has(text)) this.#texts.set(text, { id: ++this.#created });
    }
    this.#dropUnused({ pendingOnly: true });
    return true;
  }

  async touch(expected: FileVersion, touch: FileTouch): Promise<boolean> {
    const found = [...this.#files.values()].find((file) => isAt(file, expected));
    const holder = this.#files.get(touch.key) ?? found;
    if (!found || holder !== found) return false;
    this.#files.delete(found.file.key);
    this.#files.set(touch.key, {
      ...found,
      version: found.version + 1,
      file: { ...found.file, ...touch },
      summary: { ...found.summary, key: touch.key },
    });
    return true;
  }

  async remove(key: string, { only, signal }: RemoveOptions = {}): Promise<boolean> {
    assertNotAborted(signal);
    const found = this.#files.get(key);
    if (!found || (only && !isAt(found, { id: only.id, version: only.version ?? found.version }))) return false;
    this.#files.delete(key);
    this.#dropUnused({ pendingOnly: false });
    return true;
  }

  async keep(embeddings: ReadonlyMap<string, Float32Array>): Promise<void> {
    for (const embedding of embeddings.values()) checkEmbedding(embedding, this.#dimensions);
    this.#insert(embeddings, this.#missing([...embeddings.keys()]));
  }

  async pending({ after, limit, key }: PendingPage): Promise<PendingText[]> {
    const ofFile = key === undefined ? undefined : new Set(this.#files.get(key)?.passages.map(({ text }) => text));
    return [...this.#texts]
      .filter(([text, { id, embedding }]) => !embedding && id > after && (ofFile?.has(text) ?? true))
      .map(([text, { id }]) => ({ id, text }))
      .sort((a, b) => a.id - b.id)
      .slice(0, limit);
  }

  async countPending(): Promise<number> {
    return [...this.#texts.values()].filter(({ embedding }) => !embedding).length;
  }

  async putEmbeddings(embeddings: readonly TextEmbedding[]): Promise<void> {
    for (const { embedding } of embeddings) checkEmbedding(embedding, this.#dimensions);
    for (const { id, embedding } of embeddings) {
      const entry = [...this.#texts.values()].find((text) => text.id === id);
      if (entry) entry.embedding = embedding;
    }
  }

  async compact(): Promise<void> {
    this.#dropUnused({ pendingOnly: false });
  }

  async flush(): Promise<void> {
    await this.compact();
  }

  async close(): Promise<void> {}

  #place(id: number): { found: MemoryFile; passage: MemoryPassage } | undefined {
    for (const found of this.#files.values()) {
      const passage = found.passages.find(({ number }) => number === id);
      if (passage) return { found, passage };
    }
    return undefined;
  }

  #missing(texts: readonly string[]): string[] {
    return [...new Set(texts)].filter((text) => !this.#texts.get(text)?.embedding);
  }

  #insert(embeddings: ReadonlyMap<string, Float32Array>, only: readonly string[]): void {
    for (const text of only) {
      const id = this.#texts.get(text)?.id ?? ++this.#created;
      this.#texts.set(text, { id, embedding: embeddings.get(text) as Float32Array });
    }
  }

  #dropUnused({ pendingOnly }: { pendingOnly: boolean }): void {
    const used = new Set([...this.#files.values()].flatMap(({ passages }) => passages.map(({ text }) => text)));
    for (const [text, { embedding }] of this.#texts) {
      if (!used.has(text) && !(pendingOnly && embedding)) this.#texts.delete(text);
    }
  }
}

function storedFile({ file, version, summary: { id } }: MemoryFile): StoredFile {
  const { key, folder, size, mtime, ctime, inode, hash, pipeline, indexedAt } = file;
  return { id, version, key, folder, size, mtime, ctime, inode, hash, pipeline, indexedAt };
}

function isAt(found: MemoryFile | undefined, expected: FileVersion | undefined): boolean {
  return found?.summary.id === expected?.id && found?.version === expected?.version;
}

function passageOf({ uuid, page, opening, closing, ...passage }: MemoryPassage, fileText: string): Passage {
  const { breadcrumb, subtype, position, start, end, startLine, endLine } = passage;
  const content = fileText.slice(start, end);
  const display = `${opening ?? ''}${content}${closing ?? ''}`;
  return {
    ...{ id: uuid, content, display, breadcrumb, subtype, position, start, end, startLine, endLine },
    ...(opening !== undefined && { opening }),
    ...(closing !== undefined && { closing }),
    ...(page !== undefined && { pageNumber: page }),
  };
}

function windowOf({ file, passages }: MemoryFile, { from, to }: { from: number; to: number }): Window {
  const shown = passages.filter(({ position }) => position >= from && position <= to);
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last) return { text: '', passages: [] };
  const next = passages.find(({ position }) => position === last.position + 1);
  return {
    text: file.text.slice(first.start, next?.start ?? last.end),
    passages: shown.map((passage) => passageOf(passage, file.text)),
  };
}

function lexicalIndex(
  { terms, phrases }: LexicalQuery,
  {
    passages,
    named,
  }: {
    passages: readonly MemoryPassage[];
    /** The stems that the file of each passage is called by. */
    named: ReadonlyMap<number, ReadonlySet<string>>;
  },
) {
  const stemmed = terms.map((term) => stemmer(term));
  const wanted = phrases.map((phrase) => phrase.map((term) => stemmer(term)));
  const count = ({ stems: [breadcrumb, text] }: MemoryPassage) => [
    ...stemmed.map((stem) => BREADCRUMB_WEIGHT * countIn(breadcrumb, [stem]) + countIn(text, [stem])),
    ...wanted.map(
      (phrase) => BREADCRUMB_WEIGHT * Math.min(1, countIn(breadcrumb, phrase)) + Math.min(1, countIn(text, phrase)),
    ),
  ];
  const counts = new Map(passages.map((passage) => [passage, count(passage)]));
  const namedBy = stemmed.map((stem) => {
    const those = passages.filter(({ number }) => named.get(number)?.has(stem));
    return those.length > MAX_NAMED_PASSAGES ? [] : those;
  });
  const frequencies = [...terms, ...phrases].map((_, i) => {
    const found = passages.filter((passage) => (counts.get(passage)?.[i] ?? 0) > 0).length;
    return found === 0 ? (namedBy[i]?.length ?? 0) : found;
  });
  for (const [i, those] of namedBy.entries()) {
    for (const passage of those) {
      const own = counts.get(passage);
      if (own) own[i] = (own[i] ?? 0) + FILE_WEIGHT;
    }
  }
  const scored = new Set(chooseTerms(frequencies.slice(0, terms.length), passages.length));
  const required = [...phrases.keys()].map((i) => i + terms.length).filter((i) => (frequencies[i] ?? 0) > 0);
  const meanTerms = mean(passages.map(termsIn));
  return {
    frequencies,
    occurrences: (passage: MemoryPassage) =>
      (counts.get(passage) ?? []).map((n, i) => (i >= terms.length || scored.has(i) ? n : 0)),
    score(passage: MemoryPassage): number {
      const own = counts.get(passage) ?? [];
      if (required.some((i) => own[i] === 0)) return 0;
      return [...required, ...scored].reduce((sum, i) => {
        const weight = inverseFrequency(frequencies[i] ?? 0, passages.length);
        return sum + bm25(own[i] ?? 0, { weight, terms: termsIn(passage), meanTerms });
      }, 0);
    },
  };
}

function countIn(stems: readonly string[], phrase: readonly string[]): number {
  return stems.filter((_, i) => phrase.every((stem, j) => stems[i + j] === stem)).length;
}

function stemsOf(terms: string): string[] {
  return terms.split(' ').filter(Boolean).map(stemmer);
}

function termsIn({ stems: [breadcrumb, text] }: MemoryPassage): number {
  return breadcrumb.length + text.length;
}

/** The items with the highest values; those without one are left out. */
function top<Item>(items: readonly Item[], { limit, by }: { limit: number; by: (item: Item) => number }): Item[] {
  return items
    .map((item) => ({ item, value: by(item) }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => b.value - a.value)
    .slice(0, limit)
    .map(({ item }) => item);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, element, i) => sum + element * (b[i] ?? 0), 0);
}

function uuidOf(parts: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
