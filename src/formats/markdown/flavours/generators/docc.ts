import { HIDDEN } from '../../../hidden.js';
import type { Edits } from '../edits.js';

/** A link to an article, or to a heading of it: `<doc:Page#A-Heading>`. */
const LINK = /^<doc:(?:[^<>\s#]*[/#])?([^<>\s#/]+)>/;

/** A directive about the page, which DocC does not show: `@Metadata {` up to its `}`. */
const DIRECTIVE = new RegExp(
  String.raw`@(?:Comment|Metadata|Options)(?:\([^()\r\n]*\))?[ \t]*\{[ \t]*` +
    String.raw`(?:(?:\r\n?|\n)(?!\})[^\r\n]*){0,50}(?:\r\n?|\n)\}[ \t]*(?=[\r\n]|$)`,
  'y',
);

/** Hides a DocC link at an offset, except for the title in its address. Returns the offset after it; 0 for no link. */
export function hideDocLink({ source, edits }: { source: string; edits: Edits }, at: number): number {
  if (!source.startsWith('<doc:', at)) return 0;
  const [link, title = ''] = LINK.exec(source.slice(at, at + 200)) ?? [];
  if (link === undefined) return 0;
  const before = link.length - title.length - '>'.length;
  edits.overwrite(at, at + link.length, HIDDEN.repeat(before) + title.replaceAll('-', ' ') + HIDDEN);
  return at + link.length;
}

/** The end of the directive of DocC that starts at an offset and is not shown; the offset itself if there is none. */
export function directiveEnd(source: string, at: number): number {
  if (source.charAt(at) !== '@') return at;
  DIRECTIVE.lastIndex = at;
  return DIRECTIVE.test(source) ? DIRECTIVE.lastIndex : at;
}
