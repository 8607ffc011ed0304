import { type TagFilter, tagConditionOf } from '../../domain/filters/tag-filter.js';

/** The tags of a row of the table `files`. */
const OF_FILE = 'file_tags AS tag WHERE tag.file = files.number';

/**
 * The SQL condition of a filter, with the values to bind. `tags` are the tags of a row: a FROM clause of rows `tag`
 * with `key` and `value`, and its WHERE clause. They default to those of `files`. A filter without conditions has no
 * values.
 */
export function tagCondition(filter: TagFilter, tags = OF_FILE): { sql: string; parameters: string[] } {
  const hasTag = `EXISTS (SELECT 1 FROM ${tags} AND tag.key = ?)`;
  const hasValue = `EXISTS (SELECT 1 FROM ${tags} AND tag.key = ?
       AND tag.value IN (SELECT value FROM json_each(?)))`;
  const conditions = ['1'];
  const parameters: string[] = [];
  for (const [key, wanted] of Object.entries(filter)) {
    const { anyOf, noneOf, exists } = tagConditionOf(wanted);
    for (const isThere of exists) {
      conditions.push(isThere ? hasTag : `NOT ${hasTag}`);
      parameters.push(key);
    }
    if (anyOf.length > 0) {
      conditions.push(hasValue);
      parameters.push(key, JSON.stringify(anyOf));
    }
    if (noneOf.length > 0) {
      conditions.push(`NOT ${hasValue}`);
      parameters.push(key, JSON.stringify(noneOf));
    }
  }
  return { sql: conditions.join(' AND '), parameters };
}

/** For `tagCondition`: the tags of a row that stores them as a JSON object in a column. */
export function tagsIn(column: string): string {
  return `json_each(${column}) AS tag WHERE TRUE`;
}
