import { describeExcess } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import type { Breadcrumb } from '../../domain/passage.js';
import { withBareHeadings } from '../bare-headings.js';
import type { Gathering } from '../cutting/gathering.js';
import { Lines } from '../cutting/lines.js';
import { startOf } from '../cutting/nodes.js';
import { passagesOf } from '../cutting/passages.js';
import type { HeadedSection, Section } from '../cutting/section.js';
import { readMarkdown } from '../markdown/parse-markdown.js';
import { headingText } from '../markdown/sections.js';
import { belowTitleOf } from '../markdown/title.js';
import type { ParsedFile, ParsedPassage, ParseOptions } from '../parser.js';
import parsePlainText from '../plain/parse-plain-text.js';
import type { VisibleText } from '../visible-text.js';
import { type Cell, cellsOf } from './cells.js';

/** A cell with its sections, and what their passages are gathered from. */
interface ReadCell extends Pick<Gathering, 'source' | 'lines' | 'readable'> {
  readonly text: VisibleText;
  readonly sections: readonly HeadedSection[];
}

interface OpenHeading {
  readonly depth: number;
  readonly text: string;
}

/**
 * Passages of a Jupyter notebook: cells of markdown are read as markdown, others are code below the headings of the
 * cells before them. A passage never spans two cells, since outputs may be between them. Outputs are not read.
 */
export default function parseNotebook(text: string, options: ParseOptions): ParsedFile {
  const found = cellsOf(text);
  if (!found) {
    const warning = 'This is no notebook of format 4, which is JSON with a list of cells: it was cut at lines.';
    return { ...parsePlainText(text, options), warnings: [warning] };
  }
  const cells = readCells(found);
  const headed = cells.flatMap(({ sections }) => sections);
  const { title, sections } = belowTitleOf(headed, { otherwise: options.fallbackTitle });
  const passages = passagesIn(cells, { ...options, sections: withBareHeadings(sections), lines: new Lines(text) });
  return { title, tags: {}, metadata: {}, ...withinBreadcrumbs(passages) };
}

/** Reads cells below the headings of those before them. */
function readCells(cells: readonly Cell[]): ReadCell[] {
  let open: readonly OpenHeading[] = [];
  return cells.map(({ text, isMarkdown }) => {
    const source = text.text;
    const markdown = isMarkdown ? readMarkdown(source, { mdx: false }) : undefined;
    if (!markdown || 'beyond' in markdown) {
      const block = { start: 0, end: source.length, subtype: isMarkdown ? 'paragraph' : 'code' } as const;
      const sections = [{ breadcrumb: breadcrumbOf(open), blocks: [block] }];
      const readable = (start: number, end: number) => source.slice(start, end).trimEnd();
      return { text, source, lines: new Lines(source), readable, sections };
    }
    // Not those in quotes, lists and boxes, which head nothing after them.
    const quoted = new Set(markdown.sections.flatMap(({ heading }) => (heading?.isQuoted ? [heading.start] : [])));
    const headings = markdown.root.children.flatMap((node) =>
      node.type === 'heading' && !quoted.has(startOf(node)) ? [node] : [],
    );
    let above = open;
    let next = 0;
    const sections = markdown.sections.map((section) => {
      const reached = section.heading?.end ?? section.blocks[0]?.start ?? 0;
      for (let one = headings[next]; one && startOf(one) < reached; one = headings[++next]) above = outside(above, one);
      return { ...section, breadcrumb: [...breadcrumbOf(above), ...section.breadcrumb] };
    });
    for (const heading of headings) {
      open = [...outside(open, heading), { depth: heading.depth, text: headingText(heading, markdown.source) }];
    }
    return { ...markdown, text, sections };
  });
}

/** The headings that stay open after one of a depth. */
function outside(open: readonly OpenHeading[], { depth }: { readonly depth: number }): readonly OpenHeading[] {
  return open.filter((heading) => heading.depth < depth);
}

function breadcrumbOf(open: readonly OpenHeading[]): Breadcrumb {
  return open.map(({ text }) => text).filter(Boolean);
}

/** The passages of each cell, with offsets and lines of the notebook. */
function passagesIn(
  cells: readonly ReadCell[],
  { sections, lines, ...options }: ParseOptions & { readonly sections: readonly Section[]; readonly lines: Lines },
): ParsedPassage[] {
  const all: ParsedPassage[] = [];
  let from = 0;
  for (const { text, ...cell } of cells) {
    const own = sections.slice(from, from + cell.sections.length);
    from += own.length;
    const gathering = { ...options, source: cell.source, lines: cell.lines, readable: cell.readable };
    for (const { opening: _, closing: __, ...passage } of passagesOf(own, gathering).passages) {
      const start = text.starts[passage.start] ?? 0;
      const end = text.ends[passage.end - 1] ?? start;
      const place = { start, end, startLine: lines.lineOf(start), endLine: lines.lineOf(end - 1) };
      all.push({ ...passage, ...place, position: all.length });
    }
  }
  return all;
}

/** Beyond the limit of a file's breadcrumbs, passages have none. */
function withinBreadcrumbs(passages: readonly ParsedPassage[]): Pick<ParsedFile, 'passages' | 'warnings'> {
  let room = LIMITS.breadcrumbs.value;
  const last = passages.findIndex(({ breadcrumb }) => {
    room -= Buffer.byteLength(breadcrumb.join(''));
    return room < 0;
  });
  if (last < 0) return { passages, warnings: [] };
  const excess = describeExcess({ limit: LIMITS.breadcrumbs });
  const cut = passages.map((passage, i) => (i < last ? passage : { ...passage, breadcrumb: [] }));
  return { passages: cut, warnings: [`${excess}: from line ${passages[last]?.startLine} on, passages have none.`] };
}
