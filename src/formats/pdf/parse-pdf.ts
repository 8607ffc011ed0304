import { withBareHeadings } from '../bare-headings.js';
import { Lines, withLineFeeds } from '../cutting/lines.js';
import { passagesOf } from '../cutting/passages.js';
import { type Block, belowTitle, type HeadedSection, headingOf } from '../cutting/section.js';
import type { ParsedFile, ParseOptions } from '../parser.js';

/** A heading, a line of text, or the blank between two paragraphs; with the form feed of a page before it. */
const LINE = /^(\f?)(?:(#{1,3}) (.*)|(.*))$/gm;

/** Passages of the text that was extracted from a PDF, each with the page on which it begins. */
export default function parsePdf(text: string, options: ParseOptions): ParsedFile {
  const sections = sectionsOf(text);
  const heading = sections.find((section) => section.heading?.depth === 1)?.heading?.text;
  const title = heading ?? options.fallbackTitle;
  const titled = heading === undefined && title ? belowTitle(sections, title) : sections;
  const readable = (start: number, end: number) => withLineFeeds(text.slice(start, end)).trim();
  const gathering = { ...options, source: text, lines: new Lines(text), readable };
  const { passages, warnings } = passagesOf(withBareHeadings(titled), gathering);
  const pages = [...text.matchAll(/\f/g)].map(({ index }) => index);
  let page = 0;
  const paged = passages.map((passage) => {
    while ((pages[page] ?? text.length) < passage.start) page++;
    return { ...passage, page: page + 1 };
  });
  return { title, tags: {}, metadata: {}, passages: paged, warnings };
}

/** The text below each heading of a page: a passage does not span two pages. */
function sectionsOf(text: string): HeadedSection[] {
  const sections: (HeadedSection & { readonly blocks: Block[] })[] = [{ breadcrumb: [], blocks: [] }];
  const open: { readonly depth: number; readonly text: string }[] = [];
  let paragraph: { start: number; end: number } | undefined;
  const endParagraph = () => {
    if (paragraph) sections.at(-1)?.blocks.push({ ...paragraph, subtype: 'paragraph' });
    paragraph = undefined;
  };
  const breadcrumb = () => open.map((heading) => heading.text);
  for (const { 0: line, 1: feed = '', 2: mark, 3: words = '', index } of text.matchAll(LINE)) {
    const range = { start: index + feed.length, end: index + line.length };
    if (feed !== '') {
      endParagraph();
      sections.push({ breadcrumb: breadcrumb(), blocks: [] });
    }
    if (mark !== undefined) {
      endParagraph();
      const heading = { ...range, depth: mark.length, text: headingOf(words), hasMarkers: false };
      while ((open.at(-1)?.depth ?? 0) >= heading.depth) open.pop();
      open.push(heading);
      sections.push({ breadcrumb: breadcrumb(), blocks: [], heading, headingStart: range.start });
    } else if (line.trim() === '') endParagraph();
    else paragraph = { start: paragraph?.start ?? range.start, end: range.end };
  }
  endParagraph();
  return sections;
}
