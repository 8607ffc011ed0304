/** What to highlight in a rendered text. */
export interface Emphasis {
  /** The range of a sentence, in UTF-16 offsets of the text. */
  readonly sentence?: { readonly start: number; readonly end: number } | undefined;
  /** Terms of a query: words with the same stem are highlighted. */
  readonly terms: readonly string[];
  /** Whether most of the text is code. Defaults to false. */
  readonly isCode?: boolean | undefined;
}

/** A text as safe HTML: it loads nothing, runs nothing and has no ids. */
export type Render = (text: string, emphasis: Emphasis) => string;
