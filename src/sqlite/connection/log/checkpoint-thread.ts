// A thread that moves the log of a database into it, and ends.
import { workerData } from 'node:worker_threads';
import { openSqlite } from '../sqlite.js';

const database = openSqlite(workerData as string, { fileMustExist: true });
try {
  database.pragma('wal_checkpoint(PASSIVE)');
} finally {
  database.close();
}
