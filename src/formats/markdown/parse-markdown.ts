import { describeExcess } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import { byteOrderMarks, Lines } from '../cutting/lines.js';
import { passagesOf } from '../cutting/passages.js';
import type { Section } from '../cutting/section.js';
import type { ParsedFile, ParsedPassage, ParseOptions } from '../parser.js';
import parsePlainText from '../plain/parse-plain-text.js';
import { withBareHeadings } from './bare-headings.js';
import { asCommonMark } from './flavours/as-commonmark.js';
import { frameOf } from './frames.js';
import { readFrontMatter } from './front-matter.js';
import { mayNestDeeper, nestsDeeper } from './nesting.js';
import { parseMdast } from './parse-mdast.js';
import { readableText } from './readable-text.js';
import { sectionsOf } from './sections.js';

/**
 * Front matter, sections and passages of a markdown text. A text that is nested too deeply to be parsed is cut at line
 * ends, with a warning.
 */
export default function parseMarkdown(text: string, options: ParseOptions): ParsedFile {
  return parseFlavour(text, { ...options, mdx: false });
}

/** The same for a text that may be known to be MDX. */
export function parseFlavour(text: string, { mdx, ...options }: ParseOptions & { readonly mdx: boolean }): ParsedFile {
  const mark = byteOrderMarks(text);
  const original = text.slice(mark);
  const lines = new Lines(original);
  const { text: source, isMdx } = asCommonMark(original, { mdx });
  const deepest = LIMITS.nesting.value;
  if (mayNestDeeper(source, deepest)) return cutAtLines(text, options);
  const root = parseMdast(source, { isMdx });
  // Before anything recurses into it. V8 ends the whole process, instead of throwing, where it compiles a regular
  // expression close to the end of the stack.
  if (nestsDeeper(root, deepest)) return cutAtLines(text, options);
  const front = readFrontMatter(root);
  const sections = sectionsOf(root, { source, lines });
  const heading = sections.find((section) => section.heading?.depth === 1 && section.heading.text !== '')?.heading;
  const above = front.title ?? (heading ? undefined : options.otherwiseTitled);
  const titled = above ? sections.map((section) => withTitle(section, above)) : sections;
  const readable = (start: number, end: number) => readableText(root, { start, end, source });
  const frame = (start: number, end: number) => frameOf(root, { start, end, source: original });
  const gathering = { ...options, source, lines, readable, frame };
  const { passages, warnings } = passagesOf(withBareHeadings(titled), gathering);
  return {
    title: above ?? heading?.text,
    tags: front.tags,
    metadata: front.metadata,
    passages: passages.map((passage) => shift(passage, mark)),
    warnings: [...front.warnings, ...warnings],
  };
}

function cutAtLines(text: string, options: ParseOptions): ParsedFile {
  const warning = `${describeExcess({ limit: LIMITS.nesting })}: it was cut at lines, without headings.`;
  return { ...parsePlainText(text, options), warnings: [warning] };
}

/** A section below the file's title, unless its outermost heading is the title already. */
function withTitle<S extends Section>(section: S, title: string): S {
  const [outermost] = section.breadcrumb;
  const same = outermost?.toLowerCase() === title.toLowerCase();
  return same ? section : { ...section, breadcrumb: [title, ...section.breadcrumb] };
}

function shift(passage: ParsedPassage, by: number): ParsedPassage {
  return by === 0 ? passage : { ...passage, start: passage.start + by, end: passage.end + by };
}
