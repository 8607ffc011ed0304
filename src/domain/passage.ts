/** The headings above a passage, outermost first. The file's title comes first if it has one. */
export type Breadcrumb = readonly string[];

/** Where a passage is in the text of its file. */
export interface Position {
  /** The passage's place among the passages of its file, from 0. */
  readonly position: number;
  /** UTF-16 offset of the first code unit: `text.slice(start, end)` is the passage. */
  readonly start: number;
  /** UTF-16 offset after the last code unit. */
  readonly end: number;
  /** Line of the first code unit, from 1. */
  readonly startLine: number;
  /** Line of the last code unit, from 1. */
  readonly endLine: number;
}

/** The kinds of block. */
export const SUBTYPES = ['title', 'subtitle', 'paragraph', 'blockquote', 'list', 'table', 'code', 'image'] as const;

/** The kind of block that makes up most of a passage. */
export type Subtype = (typeof SUBTYPES)[number];

/** What is embedded, ranked and shown: an exact slice of a file. */
export interface Passage extends Position {
  /** A UUID derived from the file's id and the passage's text: a passage that does not change keeps it. */
  readonly id: string;
  /** The slice of the file, unchanged. */
  readonly content: string;
  /**
   * The content with what completes it if it is a part of fenced code or of a table: the fences, the table's header.
   * Show this, and quote `content`.
   */
  readonly display: string;
  /** What `display` has before `content`; missing if it has nothing. */
  readonly opening?: string;
  /** What `display` has after `content`; missing if it has nothing. */
  readonly closing?: string;
  readonly breadcrumb: Breadcrumb;
  /** The kind of block that makes up most of it. */
  readonly subtype: Subtype;
  /** Page of the original document, from 1, if the caller gave it. */
  readonly pageNumber?: number;
}

/** A passage with the vector that stands for its meaning. */
export interface EmbeddedPassage {
  /** The id of its file. */
  readonly fileId: string;
  /** The key of its file. */
  readonly key: string;
  readonly passage: Passage;
  /** A unit vector of the model's dimensions. */
  readonly embedding: Float32Array;
}

/** Free-form data of a file: its front matter and what the caller passed. */
export type Metadata = Readonly<Record<string, unknown>>;

/** What files are filtered by. A value has at most 1,000 characters. */
export type Tags = Readonly<Record<string, string>>;

/** The description of a file in hits and lists. */
export interface FileSummary {
  /** `file_` and a ULID. */
  readonly id: string;
  /** Unique within a bot. For a file of a folder: its path relative to the folder, with forward slashes. */
  readonly key: string;
  /** A media type, such as `text/markdown`. */
  readonly contentType: string;
  readonly metadata: Metadata;
  readonly tags: Tags;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** A passage that answers a query. */
export interface Hit {
  /** 0 to 1, higher is better: approximately the probability that the hit, if it is the first, answers the query. */
  readonly score: number;
  readonly passage: Passage;
  readonly file: FileSummary;
  /** How the score was computed; only with `explain`. */
  readonly explanation?: Explanation;
}

/** The addends of the sum that hits are ordered by. */
export interface Addends {
  /** The cosine on the model's scale: 0 for unrelated texts, 1 for an answer. */
  readonly dense?: number;
  /**
   * The share of the attainable BM25, 0 to 1; in `hybrid` mode, how far that rises above noise, times the rarity of the
   * rarest match.
   */
  readonly lexical?: number;
  /** A prior on the length. */
  readonly length?: number;
  /** A prior on the kind of block. */
  readonly prose?: number;
}

/** What each retriever knows about a hit, and what its score consists of. */
export interface Explanation {
  /** The dense retriever; missing with `mode: 'lexical'`. */
  readonly dense?: {
    /** Cosine of the query's and the passage's embeddings, -1 to 1; missing if the passage is not embedded yet. */
    readonly cosine?: number;
    /**
     * Rank by cosine, from 1; equal ones share theirs. Missing beyond the 500 candidates, or beyond `limit` if that is
     * more.
     */
    readonly rank?: number;
  };
  /** The lexical retriever; missing with `mode: 'dense'`. */
  readonly lexical?: {
    /** BM25 of the query's terms in the passage and its breadcrumb. */
    readonly bm25: number;
    /** BM25 as a share of the maximum for the query, 0 to 1. */
    readonly share: number;
    /** Rarity of the rarest of the terms below, 0 to 1; 1 for one that a single passage has. */
    readonly rarity: number;
    /**
     * Rank by BM25, from 1; equal ones share theirs. Missing beyond the 500 candidates, or beyond `limit` if that is
     * more.
     */
    readonly rank?: number;
    /** Terms of the query that occur in the passage or its breadcrumb, without those too common to be scored. */
    readonly terms: readonly string[];
  };
  /** The addends of `sum`; one that is missing counts 0. */
  readonly parts: Addends;
  /** What hits are ordered by; the score is an increasing function of it. */
  readonly sum: number;
  /** How far the sum is above the best other sum; below 0 for all but the first hit and its copies. */
  readonly lead: number;
  /**
   * How much nearer the nearest passage is than the 50th, on the scale of `parts.dense`; the same for all hits. Missing
   * in `lexical` mode.
   */
  readonly contrast?: number;
}

/** A vector and its similarity to a query. */
export interface Neighbour {
  /** The number under which the vector was added. */
  readonly id: number;
  /** Dot product of two unit vectors, -1 to 1, higher is nearer. */
  readonly score: number;
}
