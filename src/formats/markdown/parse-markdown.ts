import type { Root } from 'mdast';
import { describeExcess } from '../../domain/excess.js';
import { LIMITS, type Limit } from '../../domain/limits.js';
import { withBareHeadings } from '../bare-headings.js';
import type { Gathering } from '../cutting/gathering.js';
import { byteOrderMarks, Lines } from '../cutting/lines.js';
import { passagesOf } from '../cutting/passages.js';
import type { HeadedSection } from '../cutting/section.js';
import type { ParsedFile, ParsedPassage, ParseOptions } from '../parser.js';
import parsePlainText from '../plain/parse-plain-text.js';
import { asCommonMark } from './flavours/as-commonmark.js';
import { frameOf } from './frames.js';
import { readFrontMatter } from './front-matter.js';
import { TooManyLazyLines } from './micromark/lazy-lines.js';
import { releaseStates, retainStates } from './micromark/retained-states.js';
import { resolveTextInPortions } from './micromark/text-in-portions.js';
import { mayNestDeeper, nestsDeeper } from './nesting.js';
import { parseMdast } from './parse-mdast.js';
import { readableText } from './readable-text.js';
import { sectionsOf } from './sections.js';
import { belowTitleOf } from './title.js';

/** Code units of a text whose states are released after its parse, because they hold the text and its tokens. */
const LARGE = 1 << 18;

// This module is loaded by parse processes alone.
retainStates();
resolveTextInPortions();

/**
 * Front matter, sections and passages of a markdown text. A text that is beyond a limit of what is parsed is cut at
 * line ends, with a warning.
 */
export default function parseMarkdown(text: string, options: ParseOptions): ParsedFile {
  return parseFlavour(text, { ...options, mdx: false });
}

/** The same for a text that may be known to be MDX. */
export function parseFlavour(text: string, { mdx, ...options }: ParseOptions & { readonly mdx: boolean }): ParsedFile {
  const mark = byteOrderMarks(text);
  const markdown = readMarkdown(text.slice(mark), { mdx });
  if ('beyond' in markdown) return cutAtLines(text, { ...options, ...markdown });
  const { root, sections, ...range } = markdown;
  const front = readFrontMatter(root);
  const titled = belowTitleOf(sections, { given: front.title, otherwise: options.fallbackTitle });
  const { passages, warnings } = passagesOf(withBareHeadings(titled.sections), { ...options, ...range });
  return {
    title: titled.title,
    tags: front.tags,
    metadata: front.metadata,
    passages: passages.map((passage) => shift(withEndOfTag(passage, { ...range, text, mark }), mark)),
    warnings: [...front.warnings, ...warnings],
  };
}

/** A markdown text, and what its passages are gathered from. */
export interface ReadMarkdown extends Pick<Gathering, 'source' | 'lines' | 'readable' | 'frame'> {
  readonly root: Root;
  readonly sections: readonly HeadedSection[];
}

/** A limit of what is parsed that a text exceeds. */
export interface BeyondLimit {
  readonly beyond: Limit;
}

/** Reads a markdown text without byte order marks. */
export function readMarkdown(original: string, { mdx }: { readonly mdx: boolean }): ReadMarkdown | BeyondLimit {
  const lines = new Lines(original);
  const { text: source, isMdx, boxes } = asCommonMark(original, { mdx });
  const { nesting, lazyLines } = LIMITS;
  if (mayNestDeeper(source, nesting.value)) return { beyond: nesting };
  const root = parsed(source, isMdx);
  if (!root) return { beyond: lazyLines };
  // Before anything recurses into it. V8 ends the whole process, instead of throwing, where it compiles a regular
  // expression close to the end of the stack.
  if (nestsDeeper(root, nesting.value)) return { beyond: nesting };
  return {
    root,
    source,
    lines,
    sections: sectionsOf(root, { source, lines, boxes }),
    readable: (start, end) => readableText(root, { start, end, source }),
    frame: (start, end) => frameOf(root, { start, end, original, source }),
  };
}

/** The tree of a text; undefined if it has too many lazy lines. */
function parsed(text: string, isMdx: boolean): Root | undefined {
  try {
    return parseMdast(text, { isMdx });
  } catch (error) {
    if (error instanceof TooManyLazyLines) return undefined;
    throw error;
  } finally {
    if (text.length > LARGE) releaseStates();
  }
}

function cutAtLines(text: string, { beyond, ...options }: ParseOptions & BeyondLimit): ParsedFile {
  const warning = `${describeExcess({ limit: beyond })}: it was cut at lines, without headings.`;
  return { ...parsePlainText(text, options), warnings: [warning] };
}

/** Extends a passage to the end of a tag that became a fence, whose rest is blank: `{% endhighlight %}`. */
function withEndOfTag(
  passage: ParsedPassage,
  { source, text, mark }: { readonly source: string; readonly text: string; readonly mark: number },
): ParsedPassage {
  const { end } = passage;
  const blanks = /[^\S\r\n]*/y;
  blanks.lastIndex = end;
  const rest = end + (blanks.exec(source)?.[0].length ?? 0);
  const isLineEnd = rest === source.length || /[\r\n]/.test(source.charAt(rest));
  if (rest === end || !isLineEnd) return passage;
  return { ...passage, end: end + text.slice(mark + end, mark + rest).trimEnd().length };
}

function shift(passage: ParsedPassage, by: number): ParsedPassage {
  return by === 0 ? passage : { ...passage, start: passage.start + by, end: passage.end + by };
}
