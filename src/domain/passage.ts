/** The headings above a passage, outermost first; the file's title comes first where it has one. */
export type Breadcrumb = readonly string[];

/** Where a passage stands in its file's text as stored. */
export interface Position {
  /** The passage's ordinal in its file, from 0. */
  readonly position: number;
  /** UTF-16 offset of the first code unit: `text.slice(start, end)` is the passage. */
  readonly start: number;
  /** UTF-16 offset behind the last code unit. */
  readonly end: number;
  /** Line of `start`, from 1. */
  readonly startLine: number;
  /** Line of the last code unit, from 1. */
  readonly endLine: number;
}

export const SUBTYPES = ['title', 'subtitle', 'paragraph', 'blockquote', 'list', 'table', 'code', 'image'] as const;

/** The kind of block that makes up most of a passage. */
export type Subtype = (typeof SUBTYPES)[number];

/** What is embedded, ranked and shown: an exact slice of a file. */
export interface Passage extends Position {
  /** A UUID, derived from the file's id and the passage's text, so that an unchanged passage keeps it. */
  readonly id: string;
  readonly content: string;
  readonly breadcrumb: Breadcrumb;
  readonly subtype: Subtype;
  /** Page of the document that the file was made of, from 1; where that was said. */
  readonly pageNumber?: number;
}

/** Free-form data of a file: its front matter and what the caller gave. */
export type Metadata = Readonly<Record<string, unknown>>;

/** What files are filtered by: values of at most 1,000 characters. */
export type Tags = Readonly<Record<string, string>>;

/** A file as a hit or a listing names it. */
export interface FileSummary {
  /** `file_` and a ULID. */
  readonly id: string;
  /** The file's name in its bot: for a folder the relative path with forward slashes. */
  readonly key: string;
  readonly contentType: string;
  readonly metadata: Metadata;
  readonly tags: Tags;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** A passage with its score and its file. */
export interface Hit {
  /** 0 to 1, higher is better. */
  readonly score: number;
  readonly passage: Passage;
  readonly file: FileSummary;
  /** How the score came about, where that was asked. */
  readonly explanation?: Explanation;
}

/** What each side knows of a hit, and what its score is made of. */
export interface Explanation {
  /** Meaning; missing where words alone rank. */
  readonly dense?: {
    /** Of the query's and the passage's embeddings, -1 to 1; missing where the passage is not embedded yet. */
    readonly cosine?: number;
    /** Place among the nearest passages, from 1; missing where it is not among the first 1,000. */
    readonly rank?: number;
  };
  /** Words; missing where meaning alone ranks. */
  readonly lexical?: {
    readonly bm25: number;
    /** BM25 over what the query could reach at most, 0 to 1. */
    readonly share: number;
    /** Place among the passages that match best, from 1; missing where it is not among the first 1,000. */
    readonly rank?: number;
    /** Terms of the query that stand in the passage or its breadcrumb. */
    readonly terms: readonly string[];
  };
  /** The addends of `sum`, by name. */
  readonly parts: Readonly<Record<string, number>>;
  /** What hits are ordered by; the score is a rising function of it. */
  readonly sum: number;
}

/** What a vector index answers: a passage's number and the dot product of two unit vectors, -1..1, higher is nearer. */
export interface Neighbour {
  readonly id: number;
  readonly score: number;
}
