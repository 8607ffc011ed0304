import type { Root } from 'mdast';
import { parse as parseToml } from 'smol-toml';
import { Lexer, Parser, parse as parseYaml } from 'yaml';
import { excessOfMetadata } from '../../domain/description.js';
import { reasonOf } from '../../domain/errors.js';
import { describeExcess, type Excess, excessOf } from '../../domain/excess.js';
import { jsonBytes } from '../../domain/json-bytes.js';
import { LIMITS, type Limit } from '../../domain/limits.js';
import type { Metadata, Tags } from '../../domain/passage.js';
import { withLineFeeds } from '../cutting/lines.js';
import { endOf, startOf } from '../cutting/nodes.js';
import { truncated } from '../truncated.js';
import { nestsDeeper } from './nesting.js';
import { parseMdast } from './parse-mdast.js';
import { headingText } from './sections.js';

/** The front matter of a document. */
export interface FrontMatter {
  readonly title: string | undefined;
  readonly tags: Tags;
  readonly metadata: Metadata;
  readonly warnings: readonly string[];
}

/**
 * Levels that are parsed, more than metadata may have. A parser that recurses to the end of the stack may end the whole
 * process: V8 does so where it compiles a regular expression there, instead of throwing.
 */
const DEEPEST = 2 * LIMITS.metadataDepth.value;

const EMPTY: FrontMatter = { title: undefined, tags: {}, metadata: {}, warnings: [] };

/**
 * Title, tags and metadata in a document's YAML or TOML front matter. `tags: [a, b]` and `tags: a, b` become
 * `{ a: 'true', b: 'true' }`; `tags: { audience: admin }` stays as it is. All other fields, including the title, are
 * metadata. Front matter that cannot be read, and what is beyond a limit, is reported as a warning. Without front
 * matter, the title may be in a comment, as in Writerside.
 */
export function readFrontMatter(root: Root): FrontMatter {
  const [node] = root.children as { type: string; value?: string }[];
  if (node?.value === undefined || (node.type !== 'yaml' && node.type !== 'toml')) {
    return { ...EMPTY, title: titleInComment(root) };
  }
  const written = excessOf(LIMITS.frontMatter, Buffer.byteLength(node.value));
  if (written) return { ...EMPTY, warnings: [`${describeExcess(written)}: title, tags and metadata are ignored.`] };
  try {
    // To the parsers of YAML and TOML a lone CR, which ends a line of markdown, is part of a line.
    const text = withLineFeeds(node.value);
    const parsed: unknown = node.type === 'yaml' ? yaml(text) : parseToml(text, { maxDepth: DEEPEST });
    if (parsed === null || parsed === undefined) return EMPTY;
    if (typeof parsed !== 'object' || Array.isArray(parsed)) throw new Error('it is not a mapping of names to values');
    const { tags: given, ...fields } = parsed as Readonly<Record<string, unknown>>;
    // An alias is the same object again: written out, it may be more text than a disk can hold.
    const tooMuch = excessOfMetadata(fields) ?? excessOfDepth(fields);
    const { tags, excess } = tagsOf(given);
    const warnings = [
      tooMuch && `${describeExcess(tooMuch)}: the fields of the front matter are not in the metadata.`,
      excess && `${describeExcess(excess)}: some tags of the front matter are left out.`,
    ].filter((warning) => warning !== undefined);
    return { title: titleOf(fields.title), tags, metadata: tooMuch ? {} : asJson(fields), warnings };
  } catch (error) {
    const [reason] = reasonOf(error).split(/:?\n/);
    const title = titleOf(titleWritten(withLineFeeds(node.value)));
    const ignored = title === undefined ? 'title, tags and metadata' : 'tags and metadata';
    return { ...EMPTY, title, warnings: [`The front matter could not be read (${reason}): ${ignored} are ignored.`] };
  }
}

/** The title in a comment at the beginning: `[//]: # (title: A)`. */
function titleInComment({ children: [first] }: Root): string | undefined {
  if (first?.type !== 'definition' || first.identifier !== '//') return undefined;
  return titleOf(/^title:(.+)$/.exec(first.title ?? '')?.[1]);
}

/** The title in invalid front matter, such as `title: A: B`, if exactly one line has one. */
function titleWritten(frontMatter: string): string | undefined {
  const [line, another] = [...frontMatter.matchAll(/^title[ \t]*[:=](.+)$/gm)];
  if (!line?.[1] || another) return undefined;
  const written = line[1].trim();
  const title = /^(["']).*\1$/.test(written) ? written.slice(1, -1) : written;
  return /^["']/.test(title) || !/[\p{L}\p{N}]/u.test(title) ? undefined : title;
}

function yaml(written: string): unknown {
  // The parser refuses tabs as indentation, which others read within brackets. No YAML means another thing with spaces.
  const text = written.replace(/^\t+/gm, (tabs) => '  '.repeat(tabs.length));
  // The lexer and the parser of tokens keep stacks of their own; what is made of the tokens recurses.
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > DEEPEST) throw new Error(`it has more than ${DEEPEST} levels`);
  }
  // The line numbers in errors must be those of the file, whose first line is the fence.
  return parseYaml(`\n${text}`, { logLevel: 'error' });
}

/** As the store keeps it: dates become ISO strings, and values that JSON cannot represent are dropped. */
function asJson(fields: Metadata): Metadata {
  // An escape sequence may be a lone surrogate, which UTF-8 cannot represent.
  return JSON.parse(JSON.stringify(fields), (_, value) => (typeof value === 'string' ? value.toWellFormed() : value));
}

function excessOfDepth(fields: Metadata): Excess | undefined {
  let level: unknown[] = [fields];
  for (let depth = 0; level.length > 0; depth++) {
    level = level.filter((value) => typeof value === 'object' && value !== null);
    if (level.length > 0 && depth > LIMITS.metadataDepth.value) return { limit: LIMITS.metadataDepth };
    level = level.flatMap((value) => Object.values(value as object));
  }
  return undefined;
}

/** As many tags as the limits allow, and the first limit that others exceed. */
function tagsOf(given: unknown): { tags: Tags; excess?: Excess } {
  const tags = new Map<string, string>();
  // Two brackets, and one comma less than there are tags.
  let bytes = 1;
  let limit: Limit | undefined;
  for (const [name, value] of new Map(entriesOf(given))) {
    const added = (jsonBytes({ [name]: value }, LIMITS.tagsSize.value) ?? Number.POSITIVE_INFINITY) - 1;
    if (name.length > LIMITS.tagName.value) {
      limit ??= LIMITS.tagName;
    } else if (tags.size >= LIMITS.tags.value) {
      limit ??= LIMITS.tags;
    } else if (bytes + added > LIMITS.tagsSize.value) {
      limit ??= LIMITS.tagsSize;
    } else {
      tags.set(name, value);
      bytes += added;
    }
  }
  return { tags: Object.fromEntries(tags), ...(limit && { excess: { limit } }) };
}

function entriesOf(tags: unknown): (readonly [name: string, value: string])[] {
  const one = textOf(tags);
  if (one !== undefined) return entriesOf(one.split(','));
  const entries = Array.isArray(tags)
    ? tags.map((tag) => [textOf(tag)?.trim(), 'true'] as const)
    : Object.entries(tags ?? {}).map(([name, value]) => [name, textOf(value)] as const);
  return entries.flatMap(([name, value]) =>
    name && value !== undefined ? [[storable(name), storable(value.slice(0, LIMITS.tagValue.value))] as const] : [],
  );
}

/** Without NUL and lone surrogates, which SQLite does not return as they are. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function titleOf(given: unknown): string | undefined {
  const written = truncated(textOf(given)?.replace(/\s+/g, ' ').trim() ?? '', LIMITS.title.value).toWellFormed();
  return written ? asHeading(written) || written : undefined;
}

/** A name such as that of `__init__.py`, which a heading would have in bold letters. */
const NAME = /^__\w+__$/;

/** The words of a title, as a heading of it would have them. Names stay: in a title, `<Tab>` is one. */
function asHeading(title: string): string {
  // Without hashes after it, the hash of a title would count as closing hashes: `What is #`.
  const source = `# ${title} #`;
  const root = parseMdast(source, { isMdx: true });
  const [heading] = root.children;
  if (heading?.type !== 'heading' || nestsDeeper(root, LIMITS.nesting.value)) return title;
  heading.children = heading.children.map((child) => {
    const value = source.slice(startOf(child), endOf(child));
    return child.type === 'strong' && NAME.test(value) ? { ...child, type: 'text', value } : child;
  });
  return headingText(heading, source);
}

/** The text of a scalar; undefined for anything else, and for what JSON cannot represent. */
function textOf(value: unknown): string | undefined {
  const plain = value instanceof Date ? value.toJSON() : value;
  if (typeof plain === 'number') return Number.isFinite(plain) ? String(plain) : undefined;
  return typeof plain === 'string' || typeof plain === 'boolean' ? String(plain) : undefined;
}
