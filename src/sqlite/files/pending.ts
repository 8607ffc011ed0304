/**
 * The files that wait to be indexed, as a condition. SQLite uses the index of unfinished files only if the condition of
 * the index is repeated; with `+bot` beside it, it does not scan the files of the bot instead.
 */
export const PENDING = `status = 'indexing_pending' AND status <> 'indexing_completed'`;
