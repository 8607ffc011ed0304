import { withoutExtension } from '../domain/description.js';
import type { Metadata } from '../domain/passage.js';
import { termsOf } from './terms.js';

/** The fields of a file's metadata that say what it is about: texts, or lists of texts. */
const FIELDS = ['description', 'aliases', 'keywords'] as const;

/** Maximum number of characters of a field that are read: a longer text is not a description. */
const MAX_FIELD_LENGTH = 2_000;

/**
 * The distinct terms that name a file, besides its title: those of its folders, its name without the extension, and its
 * description, aliases and keywords.
 */
export function fileTerms({ key, metadata }: { readonly key: string; readonly metadata: Metadata }): Set<string> {
  const fields = FIELDS.map((field) => textOf(metadata[field]).slice(0, MAX_FIELD_LENGTH));
  return new Set([...withoutExtension(key).split('/'), ...fields].flatMap(termsOf));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string').join('\n') : '';
}
