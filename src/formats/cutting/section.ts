import type { Nodes } from 'mdast';
import type { Breadcrumb, Subtype } from '../../domain/passage.js';

/** A part of the text that belongs together, such as a paragraph, a list or a table. */
export interface Block {
  readonly start: number;
  readonly end: number;
  readonly subtype: Subtype;
  /** The block's syntax tree. A block without one is cut at line ends. */
  readonly node?: Nodes;
}

/** The blocks below one heading, up to the next heading. A passage never spans two sections. */
export interface Section {
  /** The headings above the section's blocks, outermost first, its own last. */
  readonly breadcrumb: Breadcrumb;
  readonly blocks: readonly Block[];
  /** Where the section's own heading starts; undefined if it has none. */
  readonly headingStart?: number | undefined;
}
