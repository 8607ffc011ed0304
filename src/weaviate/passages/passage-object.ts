import { createHash } from 'node:crypto';
import type { Metadata, Subtype, Tags } from '../../domain/passage.js';
import { passageIds } from '../../storage/ids/passage-ids.js';
import { stableUuid } from '../../storage/ids/stable-uuid.js';
import type { PassageToPut } from '../../storage/passage-store.js';
import { fileTerms } from '../../text/file-terms.js';
import type { StoredObject } from '../connection/stored-object.js';
import { placesOf } from '../schema/places.js';
import { tagEntries } from '../schema/tag-filters.js';
import type { PassageBody } from './passage-bodies.js';

/**
 * The properties of a passage's object: what finds it. Weaviate reads an object whole for each passage that BM25 finds,
 * so it has nothing that is only read; that is a `PassageBody`.
 */
export interface PassageProperties {
  readonly generation: string;
  readonly tags: readonly string[];
  /** The file and the folders that it is in, see `placesOf`. */
  readonly places: readonly string[];
  /** Stems, separated by spaces. */
  readonly breadcrumbTerms: string;
  readonly textTerms: string;
  readonly fileTerms: string;
  /** Identifies the passage as a candidate. */
  readonly number: number;
  readonly position: number;
  /** Length of breadcrumb and text in terms. */
  readonly terms: number;
  /** From the generation: the sum over all passages changes with every generation. */
  readonly salt: number;
  /** One of 64 samples of the passages. */
  readonly sample: number;
  /** Of the text to embed. */
  readonly textHash: string;
  /** Identifies the text to embed while the passage has no embedding. */
  readonly pending?: number | undefined;
  /** The text to embed while the passage has no embedding. */
  readonly pendingText?: string | undefined;
  /** What a candidate has but the stems, as a JSON array: reading eight properties takes twice as long. */
  readonly candidate: string;
}

/** What a candidate is found and scored by. */
export interface CandidateProperties
  extends Pick<PassageProperties, (typeof TERMS)[number] | 'generation' | 'number' | 'position' | 'terms'> {
  readonly key: string;
  readonly fileId: string;
  /** Length of the readable text in characters. */
  readonly characters: number;
  readonly subtype: Subtype;
}

const TERMS = ['breadcrumbTerms', 'textTerms', 'fileTerms'] as const;

/** The array that a `candidate` is. */
type CandidateFacts = readonly [string, string, string, number, number, number, number, Subtype];

/** The properties to read of candidates. */
export const CANDIDATE_PROPERTIES = ['candidate', ...TERMS] as const;

/** The `candidate` of an object. */
function candidateText(candidate: Omit<CandidateProperties, (typeof TERMS)[number]>): string {
  const { generation, key, fileId, number, position, terms, characters, subtype } = candidate;
  const facts: CandidateFacts = [generation, key, fileId, number, position, terms, characters, subtype];
  return JSON.stringify(facts);
}

/** The properties of a candidate. */
export function candidateOf({
  candidate,
  ...rest
}: Pick<PassageProperties, (typeof CANDIDATE_PROPERTIES)[number]>): CandidateProperties {
  const [generation, key, fileId, number, position, terms, characters, subtype] = JSON.parse(
    candidate,
  ) as CandidateFacts;
  const { breadcrumbTerms, textTerms, fileTerms } = rest;
  const found = { generation, key, fileId, number, position, terms, characters, subtype };
  return { ...found, breadcrumbTerms, textTerms, fileTerms };
}

/** The generation and the key of the file that a `candidate` names. */
export function placeOfCandidate(candidate: string): Pick<CandidateProperties, 'generation' | 'key'> {
  const [generation, key] = JSON.parse(candidate) as CandidateFacts;
  return { generation, key };
}

/** What the passages of a file take from it. */
export interface PassageFile {
  readonly id: string;
  readonly key: string;
  readonly tags: Tags;
  readonly metadata: Metadata;
}

/** Values of `salt`. Few, so that their sum is read from an index. */
const SALTS = 1009;

/** Samples that passages are divided into. */
export const SAMPLES = 64;

/** The passages of a file in a generation, in their order. */
export function passageObjects(
  { file, generation, text }: { readonly file: PassageFile; readonly generation: string; readonly text: string },
  {
    passages,
    stem,
    vectorOf,
  }: {
    readonly passages: readonly PassageToPut[];
    readonly stem: (term: string) => string;
    readonly vectorOf: (text: string) => Float32Array | undefined;
  },
): { readonly objects: StoredObject[]; readonly bodies: PassageBody[] } {
  const ofFile = fileProperties(file, { generation, stem });
  const idOf = passageIds(file.id);
  const [objects, bodies]: [StoredObject[], PassageBody[]] = [[], []];
  for (const [i, passage] of passages.entries()) {
    const { position, subtype, length: characters } = passage;
    const [breadcrumbTerms, textTerms] = [stems(passage.postings.breadcrumb, stem), stems(passage.postings.text, stem)];
    const id = idOf(passage.text);
    const number = numberOfPassage(id);
    const vector = vectorOf(passage.text);
    const terms = breadcrumbTerms.length + textTerms.length;
    const properties: PassageProperties = {
      ...ofFile,
      ...{ number, position, terms, sample: number % SAMPLES },
      breadcrumbTerms: breadcrumbTerms.join(' '),
      textTerms: textTerms.join(' '),
      textHash: hashOfText(passage.text),
      ...(!vector && { pending: numberOfText(passage.text), pendingText: passage.text }),
      candidate: candidateText({
        key: file.key,
        fileId: file.id,
        generation,
        number,
        position,
        terms,
        characters,
        subtype,
      }),
    };
    objects.push({ id: passageObjectId(generation, position), properties: { ...properties }, vector });
    bodies.push(bodyOf(passage, { id, text, next: passages[i + 1]?.start ?? null }));
  }
  return { objects, bodies };
}

/** The properties of a passage once its file has another generation, key, or other tags or metadata. */
export function movedProperties(
  properties: PassageProperties,
  file: PassageFile,
  { generation, stem }: { readonly generation: string; readonly stem: (term: string) => string },
): PassageProperties {
  const candidate = candidateText({ ...candidateOf(properties), key: file.key, generation });
  return { ...properties, ...fileProperties(file, { generation, stem }), candidate };
}

/** The properties that all passages of a file share. */
function fileProperties(
  { key, tags, metadata }: PassageFile,
  { generation, stem }: { readonly generation: string; readonly stem: (term: string) => string },
) {
  const named = [...new Set(Array.from(fileTerms({ key, metadata }), stem))].sort();
  return {
    ...{ generation, tags: tagEntries(tags), places: placesOf(key), fileTerms: named.join(' ') },
    salt: numberOfText(generation) % SALTS,
  };
}

function bodyOf(
  passage: PassageToPut,
  { id, text, next }: { readonly id: string; readonly text: string; readonly next: number | null },
): PassageBody {
  const { start, end, startLine, endLine, breadcrumb, page, opening, closing, subtype, position } = passage;
  return {
    ...{ id, subtype, position, content: text.slice(start, end), breadcrumb, start, end, startLine, endLine },
    ...(page !== undefined && { pageNumber: page }),
    ...(opening !== undefined && { opening }),
    ...(closing !== undefined && { closing }),
    after: next === null ? '' : text.slice(end, Math.max(end, next)),
    next,
  };
}

/** The id of the object of a passage: that of a generation and a position. */
export function passageObjectId(generation: string, position: number): string {
  return stableUuid(['passage', generation, position]);
}

/** Identifies a passage among the candidates of a bot: 52 bits of its id, which collide in one of 10¹⁵ pairs. */
export function numberOfPassage(passageId: string): number {
  const hex = passageId.replaceAll('-', '');
  return Number.parseInt(hex.slice(0, 12) + hex.charAt(13), 16);
}

/** Identifies a text among those that have no embedding: 52 bits of its SHA-256. */
export function numberOfText(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 13), 16);
}

/** Identifies a text. */
export function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function stems(terms: string, stem: (term: string) => string): string[] {
  return terms
    .split(' ')
    .filter((term) => term !== '')
    .map(stem);
}
