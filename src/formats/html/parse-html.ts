import { withBareHeadings } from '../bare-headings.js';
import { Lines } from '../cutting/lines.js';
import { passagesOf } from '../cutting/passages.js';
import { belowTitle } from '../cutting/section.js';
import type { ParsedFile, ParseOptions } from '../parser.js';
import { ReadableRanges } from '../readable-ranges.js';
import { readHtml } from './read-html.js';

/**
 * Sections and passages of an HTML text. Its title is its first `<h1>`, else its `<title>`. Navigation, controls,
 * scripts and what an attribute hides are neither embedded nor found.
 */
export default function parseHtml(text: string, options: ParseOptions): ParsedFile {
  const ranges = new ReadableRanges(text);
  const { title, heading, sections } = readHtml(text, ranges);
  const above = heading === undefined ? (title ?? options.fallbackTitle) : undefined;
  const titled = above === undefined ? sections : belowTitle(sections, above);
  const { readable } = ranges;
  const gathering = { ...options, source: text, lines: new Lines(text), readable };
  const { passages, warnings } = passagesOf(withBareHeadings(titled), gathering);
  return { title: heading ?? above, tags: {}, metadata: {}, passages, warnings };
}
