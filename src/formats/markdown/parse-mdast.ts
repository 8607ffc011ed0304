import type { Root } from 'mdast';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';
import { LIMITS } from '../../domain/limits.js';
import { linearEmphasis } from './micromark/emphasis.js';
import { linearLabels } from './micromark/labels.js';
import { boundedLazyLines } from './micromark/lazy-lines.js';

const commonMark = processorWithout([]);

/** Where no table can be, micromark need not look for one at each line of a paragraph. */
const commonMarkWithoutTables = processorWithout(['table']);

/** MDX has neither HTML nor indented code: what is inside a component is often indented. */
const NOT_IN_MDX = ['autolink', 'codeIndented', 'htmlFlow', 'htmlText'];
const mdx = processorWithout(NOT_IN_MDX);
const mdxWithoutTables = processorWithout(['table', ...NOT_IN_MDX]);

/** What may be the row below the head of a table, in quotes and lists, too. */
const DELIMITER_ROW = /^[ \t>]*(?:-[ \t-]*)?[|:][ \t|:-]*$/m;

/** A processor of its own: the copy of one that is frozen has each extension twice. */
function processorWithout(constructs: string[]) {
  return unified()
    .use(remarkParse)
    .use(remarkFrontmatter, ['yaml', 'toml'])
    .use(remarkGfm)
    .use(withoutAutolinkLiterals)
    .use(withLinearTime)
    .use(without, constructs)
    .freeze();
}

/**
 * Removes autolink literals (bare URLs and e-mail addresses) from GFM. As text they read the same, looking for them
 * takes a third of the parsing time, and the links that are created after the parse have no position.
 */
function withoutAutolinkLiterals(this: Processor): void {
  const data = this.data();
  for (const { text = {} } of data.micromarkExtensions ?? []) {
    for (const [code, constructs] of Object.entries(text)) {
      const others = [constructs ?? []].flat().filter(({ name }) => !name?.endsWith('Autolink'));
      if (others.length > 0) text[code] = others;
      else delete text[code];
    }
  }
  data.fromMarkdownExtensions = data.fromMarkdownExtensions?.flat().filter(({ transforms }) => !transforms) ?? [];
}

/** Replaces or bounds what takes micromark time that is quadratic in the text. */
function withLinearTime(this: Processor): void {
  const data = this.data();
  const own = [linearEmphasis(), linearLabels(), boundedLazyLines(LIMITS.lazyLines.value)];
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), ...own];
}

/** Disables constructs. */
function without(this: Processor, constructs: string[]): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: constructs } }];
}

/**
 * The syntax tree of a markdown text without byte order mark. Offsets count UTF-16 code units. Throws
 * `TooManyLazyLines`.
 */
export function parseMdast(text: string, { isMdx }: { readonly isMdx: boolean }): Root {
  const hasTables = DELIMITER_ROW.test(text);
  if (isMdx) return (hasTables ? mdx : mdxWithoutTables).parse(text);
  return (hasTables ? commonMark : commonMarkWithoutTables).parse(text);
}
