import { createHash } from 'node:crypto';
import type { Metadata, Passage, Subtype, Tags } from '../../domain/passage.js';
import { passageIds } from '../../storage/passage-ids.js';
import type { PassageToPut } from '../../storage/passage-store.js';
import { stableUuid } from '../../storage/stable-uuid.js';
import { fileTerms } from '../../text/file-terms.js';
import type { StoredObject } from '../connection/stored-object.js';
import { quoted } from '../schema/quoted.js';
import { tagEntries } from '../schema/tag-filters.js';

/** The parts of a passage that are only read, as JSON in its object. */
export interface PassageBody extends Omit<Passage, 'id' | 'subtype' | 'position' | 'display'> {
  /** The text from the passage to the next one; empty if none follows, or if they overlap. */
  readonly after: string;
  /** Where the next passage starts; null if none follows. */
  readonly next: number | null;
}

/** The properties of a passage's object. */
export interface PassageProperties {
  readonly generation: string;
  readonly key: string;
  /** For filters. */
  readonly quotedKey: string;
  readonly fileId: string;
  readonly passageId: string;
  readonly tags: readonly string[];
  /** The key, and each folder that it is in, quoted. */
  readonly folders: readonly string[];
  /** Stems, separated by spaces. */
  readonly breadcrumbTerms: string;
  readonly textTerms: string;
  readonly fileTerms: string;
  /** Identifies the passage as a candidate. */
  readonly number: number;
  readonly textNumber: number;
  readonly position: number;
  /** Length of breadcrumb and text in terms. */
  readonly terms: number;
  /** From the generation: the sum over all passages changes with every generation. */
  readonly salt: number;
  /** One of 64 samples of the passages. */
  readonly sample: number;
  readonly isEmbedded: boolean;
  readonly characters: number;
  readonly subtype: Subtype;
  readonly embeddedText: string;
  /** A `PassageBody`. */
  readonly body: string;
  /** The `CandidateProperties` once more, as one JSON array: reading eleven properties takes three times as long. */
  readonly candidate: string;
}

/** What a candidate is found and scored by. */
export type CandidateProperties = Pick<PassageProperties, (typeof CANDIDATE)[number]>;

/** In the order of the array. */
const CANDIDATE = [
  ...(['generation', 'key', 'fileId', 'number', 'position', 'terms', 'characters', 'subtype'] as const),
  ...(['breadcrumbTerms', 'textTerms', 'fileTerms'] as const),
] as const;

/** Adds the property for candidates to those that it repeats. */
export function withCandidate(properties: Omit<PassageProperties, 'candidate'>): PassageProperties {
  return { ...properties, candidate: JSON.stringify(CANDIDATE.map((name) => properties[name])) };
}

/** The properties of a candidate. */
export function candidateOf({ candidate }: Pick<PassageProperties, 'candidate'>): CandidateProperties {
  const values = JSON.parse(candidate) as unknown[];
  return Object.fromEntries(CANDIDATE.map((name, i) => [name, values[i]])) as unknown as CandidateProperties;
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

/** The objects of a file's passages in a generation, in their order. */
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
): StoredObject[] {
  const ofFile = fileProperties(file, { generation, stem });
  const idOf = passageIds(file.id);
  return passages.map((passage, i) => {
    const { start, end, startLine, endLine, breadcrumb, page, opening, closing, subtype, position } = passage;
    const next = passages[i + 1]?.start ?? null;
    const body: PassageBody = {
      ...{ content: text.slice(start, end), breadcrumb, start, end, startLine, endLine },
      ...(page !== undefined && { pageNumber: page }),
      ...(opening !== undefined && { opening }),
      ...(closing !== undefined && { closing }),
      after: next === null ? '' : text.slice(end, Math.max(end, next)),
      next,
    };
    const [breadcrumbTerms, textTerms] = [stems(passage.postings.breadcrumb, stem), stems(passage.postings.text, stem)];
    const passageId = idOf(passage.text);
    const number = numberOfPassage(passageId);
    const vector = vectorOf(passage.text);
    const properties = withCandidate({
      ...ofFile,
      ...{ passageId, number, position, subtype },
      textNumber: numberOfText(passage.text),
      breadcrumbTerms: breadcrumbTerms.join(' '),
      textTerms: textTerms.join(' '),
      terms: breadcrumbTerms.length + textTerms.length,
      sample: number % SAMPLES,
      isEmbedded: vector !== undefined,
      characters: passage.length,
      embeddedText: passage.text,
      body: JSON.stringify(body),
    });
    return { id: passageObjectId(generation, position), properties: { ...properties }, vector };
  });
}

/** The properties that all passages of a file share. */
export function fileProperties(
  { id, key, tags, metadata }: PassageFile,
  { generation, stem }: { readonly generation: string; readonly stem: (term: string) => string },
) {
  const named = [...new Set(Array.from(fileTerms({ key, metadata }), stem))].sort();
  return {
    ...{ generation, key, quotedKey: quoted(key), fileId: id },
    tags: tagEntries(tags),
    folders: foldersOf(key).map(quoted),
    fileTerms: named.join(' '),
    salt: numberOfText(generation) % SALTS,
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

/** Identifies a text: 52 bits of its SHA-256. */
export function numberOfText(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 13), 16);
}

/** The passage of an object. */
export function passageOf({ passageId, subtype, position, body }: PassageProperties): Passage {
  const { after: _after, next: _next, ...parts } = JSON.parse(body) as PassageBody;
  const display = `${parts.opening ?? ''}${parts.content}${parts.closing ?? ''}`;
  return { ...parts, id: passageId, subtype, position, display };
}

function stems(terms: string, stem: (term: string) => string): string[] {
  return terms
    .split(' ')
    .filter((term) => term !== '')
    .map(stem);
}

function foldersOf(key: string): string[] {
  const parts = key.split('/');
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}
