import type { TagFilter } from '../../domain/tag-filter.js';

/**
 * The SQL condition of a filter over the table `files`, with the values to bind. A filter without conditions has no
 * values.
 */
export function tagCondition(filter: TagFilter): { sql: string; parameters: string[] } {
  const conditions = ['1'];
  const parameters: string[] = [];
  for (const [key, wanted] of Object.entries(filter)) {
    const excluded = typeof wanted === 'object' && 'not' in wanted;
    const values = [excluded ? wanted.not : wanted].flat();
    if (values.length === 0) continue;
    conditions.push(
      `${excluded ? 'NOT ' : ''}EXISTS (SELECT 1 FROM file_tags WHERE file = files.number AND key = ?
       AND value IN (SELECT value FROM json_each(?)))`,
    );
    parameters.push(key, JSON.stringify(values));
  }
  return { sql: conditions.join(' AND '), parameters };
}
