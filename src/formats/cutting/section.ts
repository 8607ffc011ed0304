import type { Nodes } from 'mdast';
import type { Breadcrumb, Subtype } from '../../domain/passage.js';
import type { Range } from '../range.js';
import { inWords } from '../title-of-name.js';
import { truncated } from '../truncated.js';
import type { Cells } from './values/cells.js';

/** A part of the text that belongs together, such as a paragraph, a list or a table. */
export interface Block {
  readonly start: number;
  readonly end: number;
  readonly subtype: Subtype;
  /** The block's syntax tree. A block without one is cut at `cuts`, or else at line ends. */
  readonly node?: Nodes;
  /** Offsets inside the block, ascending, where it is cut first: between rows or items. */
  readonly cuts?: readonly number[];
  /** The header row of a block with `cuts`. Where it is short, it is embedded with each part that begins after it. */
  readonly header?: Range | undefined;
  /** The values of a row, between two cuts: a row that is too long is cut between them, and each part names its own. */
  readonly cellsOf?: ((row: Range) => Cells | undefined) | undefined;
}

/** The blocks below one heading, up to the next heading. A passage never spans two sections. */
export interface Section {
  /** The headings above the section's blocks, outermost first, its own last. */
  readonly breadcrumb: Breadcrumb;
  readonly blocks: readonly Block[];
  /** Where the section's own heading starts; undefined if it has none. */
  readonly headingStart?: number | undefined;
}

/** A section with the heading that it begins with; none before the first heading. */
export interface HeadedSection extends Section {
  readonly heading?: {
    readonly start: number;
    readonly end: number;
    /** 1 to 6; a greater number stands for a section below all headings. */
    readonly depth: number;
    readonly text: string;
    /** Whether it is followed by markers that belong to no block, such as those of quotes and lists in markdown. */
    readonly hasMarkers: boolean;
    /** Whether it is in a quotation, where it may be the title of another text. Defaults to false. */
    readonly isQuoted?: boolean;
  };
}

/** Puts sections below the file's title, except for those whose outermost heading has the same words. */
export function belowTitle<S extends Section>(sections: readonly S[], title: string): S[] {
  let outermost: string | undefined;
  let isTitle = false;
  return sections.map((section) => {
    const [own] = section.breadcrumb;
    if (own !== outermost) isTitle = own !== undefined && haveSameWords(own, title);
    outermost = own;
    return isTitle ? section : { ...section, breadcrumb: [title, ...section.breadcrumb] };
  });
}

/** Whether two titles or names differ only in case and in what separates their words. */
export function haveSameWords(one: string, other: string): boolean {
  return inWords(one).toLowerCase() === inWords(other).toLowerCase();
}

/** The most characters of a heading in a breadcrumb: every passage below repeats it, and a heading may be megabytes. */
const LONGEST_HEADING = 1000;

/** The words of a heading on one line, as a breadcrumb has them. */
export function headingOf(words: string): string {
  return truncated(words.replace(/\s+/g, ' ').trim(), LONGEST_HEADING);
}
