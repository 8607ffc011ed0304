import { frontMatterEnd } from '../../front-matter-end.js';
import type { Edits } from '../edits.js';
import { SHORT } from '../places.js';

/** What the marks of a page of Elastic are found with. */
export interface ElasticReading {
  readonly source: string;
  readonly edits: Edits;
  /** Whether the text is a page of Elastic, see `isElastic`. */
  readonly isElastic: boolean;
}

/** Fields of front matter that docs-builder, the generator of Elastic, reads. */
const FIELD = /^(?:applies_to|mapped_pages|mapped_urls|navigation_title):/m;

/** `[id]` at the end of a heading, after a blank. */
const ANCHOR = /^\[#?[A-Za-z_][\w.-]*\](?=[ \t]*(?:[\r\n]|$))/;
const HEADING = /(?:^|[\r\n])[ \t>]*#{1,6}[ \t][^\r\n]*[ \t]$/;

/** `{{name}}` or `{{name | operation}}`, which the site replaces: its name often says what it stands for. */
const VARIABLE = /^\{\{[ \t]*([\w-]+)[ \t]*(?:\|[^{}\r\n]*)?\}\}/;

/** Whether a text is a page of Elastic's documentation, which is MyST with marks of its own. */
export function isElastic(source: string): boolean {
  return FIELD.test(source.slice(0, frontMatterEnd(source)));
}

/** Hides the id at the end of a heading. Returns the offset after it; 0 if there is none. */
export function hideId({ source, edits, isElastic: isRead }: ElasticReading, at: number): number {
  if (!isRead || !HEADING.test(source.slice(Math.max(0, at - SHORT), at))) return 0;
  const [anchor] = ANCHOR.exec(source.slice(at, at + SHORT)) ?? [];
  if (anchor === undefined) return 0;
  edits.hide(at, at + anchor.length);
  return at + anchor.length;
}

/** Hides the marks around the name of a variable. Returns the offset after it; 0 if there is none. */
export function hideAroundName({ source, edits, isElastic: isRead }: ElasticReading, at: number): number {
  const [variable, name = ''] = isRead ? (VARIABLE.exec(source.slice(at, at + SHORT)) ?? []) : [];
  if (variable === undefined) return 0;
  const start = at + variable.indexOf(name);
  edits.hide(at, start);
  edits.hide(start + name.length, at + variable.length);
  return at + variable.length;
}
