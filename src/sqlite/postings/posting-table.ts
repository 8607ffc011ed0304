/** The SQL that creates a posting table; in the database `temp` if the name says so. */
export function createPostings(table: string): string {
  return `CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5(
         breadcrumb, text, content = '', contentless_delete = 1,
         tokenize = "porter unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'")`;
}

/** Terms as an FTS5 phrase: they may contain any character, and must follow each other. */
export function quoted(terms: string): string {
  return `"${terms.replaceAll('"', '""')}"`;
}
