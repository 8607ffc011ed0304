/** The name of the posting table of a bot, by the bot's row number. A bot that was never opened has none yet. */
export function postingTable(bot: number): string {
  return `postings_${bot}`;
}

/** Whether a table is the posting table of a bot: FTS5 keeps others beside it, such as `postings_1_data`. */
export function isPostingTable(name: string): boolean {
  return /^postings_\d+$/.test(name);
}

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
