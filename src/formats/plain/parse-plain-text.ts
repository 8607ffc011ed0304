import type { Breadcrumb } from '../../domain/passage.js';
import { byteOrderMarks, Lines, withLineFeeds } from '../cutting/lines.js';
import { passagesOf } from '../cutting/passages.js';
import type { Section } from '../cutting/section.js';
import { STRETCH, stretchesWithin } from '../cutting/stretches.js';
import { trimmed } from '../cutting/trimmed.js';
import type { ParsedFile, ParseOptions } from '../parser.js';

/** Cuts a text at line ends, without looking for headings. Its title is that of its name. */
export default function parsePlainText(text: string, options: ParseOptions): ParsedFile {
  const { start, end } = trimmed(text, byteOrderMarks(text), text.length);
  const borders = [start, ...stretchesWithin({ start, end }, { source: text, size: STRETCH }), end];
  const title = options.fallbackTitle;
  const breadcrumb = title ? [title] : [];
  const sections = borders.slice(1).map((border, i) => sectionOf(borders[i] ?? start, { border, breadcrumb }));
  const readable = (from: number, to: number) => withLineFeeds(text.slice(from, to));
  const { passages, warnings } = passagesOf(sections, { ...options, source: text, lines: new Lines(text), readable });
  return { title, tags: {}, metadata: {}, passages, warnings };
}

function sectionOf(start: number, { border: end, breadcrumb }: { border: number; breadcrumb: Breadcrumb }): Section {
  return { breadcrumb, blocks: start < end ? [{ start, end, subtype: 'paragraph' }] : [] };
}
