import type { Root } from 'mdast';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';
import { LIMITS } from '../../domain/limits.js';
import { frontMatterEnd } from './front-matter-end.js';
import { linearEmphasis } from './micromark/emphasis.js';
import { linearLabels } from './micromark/labels.js';
import { boundedLazyLines } from './micromark/lazy-lines.js';

/** What the parser looks for. What a text cannot have is left out to save time, or because it means something else. */
interface Constructs {
  readonly frontMatter: boolean;
  readonly tables: boolean;
  readonly html: boolean;
  readonly indentedCode: boolean;
}

/** The processors in use, by the constructs that they lack. */
const processors = new Map<string, Processor<Root>>();

/** What may be the row below the head of a table, in quotes and lists, too. */
const DELIMITER_ROW = /^[ \t>]*(?:-[ \t-]*)?[|:][ \t|:-]*$/m;

/** A processor of its own: the copy of one that is frozen has each extension twice. */
function processorFor({ frontMatter, tables, html, indentedCode }: Constructs): Processor<Root> {
  const disabled = [
    // micromark looks for one at each line of a paragraph.
    ...(tables ? [] : ['table']),
    ...(html ? [] : ['autolink', 'htmlFlow', 'htmlText']),
    ...(indentedCode ? [] : ['codeIndented']),
  ];
  const name = `${frontMatter} ${disabled}`;
  const known = processors.get(name);
  if (known) return known;
  const made = unified()
    .use(remarkParse)
    .use(remarkFrontmatter, frontMatter ? ['yaml', 'toml'] : [])
    .use(remarkGfm)
    .use(withoutAutolinkLiterals)
    .use(withLinearTime)
    .use(without, disabled)
    .freeze();
  processors.set(name, made);
  return made;
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

/** How a text is read. */
interface ParseMdastOptions {
  /** Whether it is MDX, which has neither HTML nor indented code: what is inside a component is often indented. */
  readonly isMdx: boolean;
  /** Whether lines indented by four columns may be code: never in MDX. Defaults to true. */
  readonly hasIndentedCode?: boolean;
}

/**
 * The syntax tree of a markdown text without byte order mark. Offsets count UTF-16 code units. Throws
 * `TooManyLazyLines`.
 */
export function parseMdast(text: string, options: ParseMdastOptions): Root {
  const { isMdx, hasIndentedCode = true } = options;
  // If front matter has no end, micromark searches the whole text for it, and then finds no quotes and lists there.
  const frontMatter = frontMatterEnd(text) > 0;
  const tables = DELIMITER_ROW.test(text);
  const constructs = { frontMatter, tables, html: !isMdx, indentedCode: hasIndentedCode && !isMdx };
  return processorFor(constructs).parse(text);
}
