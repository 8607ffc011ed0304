/** What a map shows, as its page reads it. */
export interface MapData {
  /** The folders that colour the passages, most passages first. */
  readonly folders: readonly MapFolder[];
  readonly passages: readonly MapPassage[];
  readonly queries: readonly MapQuery[];
}

/** A folder of the map. */
export interface MapFolder {
  /** Ends in a slash. */
  readonly name: string;
  /** The number of its passages. */
  readonly count: number;
}

/** A passage on the map. */
export interface MapPassage {
  /** From 0 to 1, to the right. */
  readonly x: number;
  /** From 0 to 1, downwards. */
  readonly y: number;
  /** Which of the folders. */
  readonly folder: number;
  /** Key and lines, as `guides/keys.md:5-6`. */
  readonly place: string;
  /** Headings, joined; empty without any. */
  readonly breadcrumb: string;
  readonly text: string;
}

/** A question with the passages that answer it best. */
export interface MapQuery {
  readonly text: string;
  /** Best first. */
  readonly hits: readonly { readonly passage: number; readonly rank: number; readonly score: number }[];
}
