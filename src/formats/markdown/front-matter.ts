import type { Root } from 'mdast';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import type { Metadata, Tags } from '../../domain/passage.js';

/** The front matter of a document. */
export interface FrontMatter {
  readonly title: string | undefined;
  readonly tags: Tags;
  readonly metadata: Metadata;
  readonly warnings: readonly string[];
}

const EMPTY: FrontMatter = { title: undefined, tags: {}, metadata: {}, warnings: [] };

/** The longest tag value that the contract allows, in characters. */
const MAX_TAG_VALUE = 1000;

/**
 * Title, tags and metadata in a document's YAML or TOML front matter. `tags: [a, b]` and `tags: a, b` become
 * `{ a: 'true', b: 'true' }`; `tags: { audience: admin }` stays as it is. All other fields, including the title, are
 * metadata. Front matter that cannot be read is reported as a warning.
 */
export function readFrontMatter(root: Root): FrontMatter {
  const [node] = root.children as { type: string; value?: string }[];
  if (node?.value === undefined || (node.type !== 'yaml' && node.type !== 'toml')) return EMPTY;
  try {
    const parsed: unknown = node.type === 'yaml' ? parseYaml(node.value, { logLevel: 'error' }) : parseToml(node.value);
    if (parsed === null || parsed === undefined) return EMPTY;
    if (typeof parsed !== 'object' || Array.isArray(parsed)) throw new Error('it is not a mapping of names to values');
    // The store keeps JSON: dates become ISO strings, and values that JSON cannot represent are dropped.
    const { tags, ...metadata } = JSON.parse(
      JSON.stringify(parsed, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
      // An escape sequence may be a lone surrogate, which UTF-8 cannot represent.
      (_, value) => (typeof value === 'string' ? value.toWellFormed() : value),
    );
    const title = isScalar(metadata.title) ? oneLine(String(metadata.title)) : '';
    return { title: title || undefined, tags: tagsOf(tags), metadata, warnings: [] };
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    return {
      ...EMPTY,
      warnings: [`The front matter could not be read (${reason}): title, tags and metadata are ignored.`],
    };
  }
}

function tagsOf(tags: unknown): Tags {
  if (isScalar(tags)) return tagsOf(String(tags).split(','));
  const entries = Array.isArray(tags)
    ? tags.filter(isScalar).map((tag): [string, unknown] => [String(tag).trim(), 'true'])
    : Object.entries(tags ?? {});
  return Object.fromEntries(
    entries
      .filter(([key, value]) => key !== '' && isScalar(value))
      .map(([key, value]) => [key.toWellFormed(), String(value).slice(0, MAX_TAG_VALUE).toWellFormed()]),
  );
}

/** Limited like a tag value, because every passage of the file repeats the title. */
function oneLine(title: string): string {
  return title.replace(/\s+/g, ' ').trim().slice(0, MAX_TAG_VALUE).toWellFormed();
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
