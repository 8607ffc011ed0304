import type { Breadcrumb, Metadata, Position, Subtype, Tags } from '../domain/passage.js';

/** How a format reads its files: the default export of the module that its entry in the table names. */
export type Parse = (text: string, options: ParseOptions) => ParsedFile;

/**
 * The text of a file that is not text, which is then parsed: the default export of the module that the format names.
 * Throws an Error with the reason if the file has none.
 */
export type Extract = (bytes: Uint8Array) => Promise<string>;

/** How sections are cut into passages. */
export interface CuttingOptions {
  /** The most tokens of readable text in a passage; breadcrumb and special tokens are not counted. */
  readonly budget: number;
  /** Whether the breadcrumb is embedded with the passage. */
  readonly embedBreadcrumb: boolean;
}

export interface ParseOptions extends CuttingOptions {
  /** The most tokens that the model reads: no embedded text is longer. */
  readonly maxTokens: number;
  /** The title of a file that gives itself none; undefined if there is no such title. */
  readonly fallbackTitle?: string | undefined;
  /** Tokens of a text, special tokens included. The tokens of two halves add up to about those of the whole. */
  readonly countTokens: (text: string) => number;
}

/** The result of parsing a file. */
export interface ParsedFile {
  /** The title in the metadata of the file, or else its heading that is the title, or else `fallbackTitle`. */
  readonly title: string | undefined;
  readonly tags: Tags;
  readonly metadata: Metadata;
  /** In document order, without overlap. With headings, metadata and whitespace they cover the whole text. */
  readonly passages: readonly ParsedPassage[];
  /** What the parser could not understand, one sentence each. */
  readonly warnings: readonly string[];
}

/** A passage as a parser returns it. Its content is the slice of the text from `start` to `end`. */
export interface ParsedPassage extends Position {
  readonly breadcrumb: Breadcrumb;
  readonly subtype: Subtype;
  /** The text to embed: breadcrumb, then readable text. Lines end with a line feed. */
  readonly text: string;
  /** The readable text alone; the source text where nothing in it is readable. */
  readonly readable: string;
  /** What names the row and the columns of a part of a row; it is searched like the readable text. */
  readonly names?: string;
  /** Characters of the readable text; 0 where nothing is readable. */
  readonly length: number;
  /** The page of the original document on which it begins, from 1. */
  readonly page?: number | undefined;
  /** Lines to be shown before the passage, which begins inside of fenced code or a table; with their ends. */
  readonly opening?: string | undefined;
  /** A line to be shown after the passage, which ends inside of fenced code; after a line end. */
  readonly closing?: string | undefined;
}
