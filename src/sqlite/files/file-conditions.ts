import { OUTDATED_STATUSES } from '../../storage/file-records.js';

// SQL conditions on the table `files`.

/** Whether a file has expired by a time. Not compared as strings: earlier versions stored other time zones than UTC. */
export const EXPIRED = `(expires_at IS NOT NULL AND julianday(expires_at) <= julianday(?))`;

/** The table and condition of a bot's files that have expired by a time. `+` selects the index of expiry times. */
export const EXPIRED_FILES = `files WHERE +bot = ? AND ${EXPIRED}`;

/** Whether the passages of a file, if it has any, are those of a content that has been replaced. */
export const OUTDATED = `status IN (${OUTDATED_STATUSES.map((status) => `'${status}'`).join(', ')})`;

/**
 * Whether a file waits to be indexed. SQLite uses the index of unfinished files only if the condition of the index is
 * repeated. Write `+bot` for the bot, so that SQLite does not scan the files of the bot instead.
 */
export const PENDING = `status = 'indexing_pending' AND status <> 'indexing_completed'`;
