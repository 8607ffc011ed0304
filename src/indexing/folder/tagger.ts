import { pathFilter } from '../../domain/filters/path-filter.js';
import type { Tags } from '../../domain/passage.js';
import type { FolderRecord } from '../../storage/folders.js';

/** The tags that a folder gives a file, by its path in the folder. */
export function tagger({ tags, tagRules }: Pick<FolderRecord, 'tags' | 'tagRules'>): (path: string) => Tags {
  if (tagRules.length === 0) return () => tags;
  const rules = tagRules.map((rule) => ({ matches: pathFilter([rule.path].flat()), tags: rule.tags }));
  return (path) => Object.assign({}, tags, ...rules.filter(({ matches }) => matches(path)).map((rule) => rule.tags));
}
