/** The SQL that makes a table of postings; in the database `temp` where that is in the name. */
export function createPostings(table: string): string {
  return `CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5(
         breadcrumb, text, content = '', contentless_delete = 1,
         tokenize = "porter unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'")`;
}
