import { WaymarkError, type WaymarkErrorCode } from '../../domain/errors.js';
import { cutOff, type Verdict } from './damage.js';
import { isInReadOnlyFolder } from './read-only-folder.js';

/** The meaning of a failure: a code, and a sentence about the file that quotes what was reported. */
type Meaning = readonly [code: WaymarkErrorCode, sentence: (file: string, reported: string) => string];

const DAMAGED: Meaning = [
  'DATABASE_DAMAGED',
  (file, reported) =>
    `${file} is damaged (${reported}): try waymark doctor --repair; if that does not help, restore a backup or index ` +
    'again into a new file.',
];

/** The meaning of damage to a file that is cut off. `lack`: see `cutOff`. */
const cutOffMeaning = (lack: string): Meaning => [
  'DATABASE_DAMAGED',
  (file) =>
    `${file} is cut off: ${lack}. If it is a copy, copy it again; otherwise restore a backup or index again ` +
    'into a new file.',
];

const NO_DATABASE: Meaning = [
  'DATABASE_DAMAGED',
  (file, reported) =>
    `${file} is not a database, or its beginning is damaged (${reported}): choose another file with --database, or ` +
    'restore a backup.',
];

const UNWRITABLE: Meaning = [
  'DATABASE_UNWRITABLE',
  (file, reported) =>
    `${file} cannot be opened or written (${reported}): check its folder, its permissions and those of ` +
    'the -wal and -shm files beside it, and the disk.',
];

const READ_ONLY_FOLDER: Meaning = [
  'DATABASE_UNWRITABLE',
  (file) =>
    `${file} is in a read-only folder, so it can be searched but not changed: make it and its folder writable and ` +
    'open the index again, or copy the database to another folder.',
];

const NO_LOG: Meaning = [
  'DATABASE_UNWRITABLE',
  (file, reported) =>
    `${file} cannot be opened (${reported}): its folder is read-only, and SQLite needs two files in it. Make the ` +
    'folder writable, or copy the database, with its -wal file if there is one, to another.',
];

const FAILED: Meaning = [
  'DATABASE_FAILED',
  (file, reported) =>
    `SQLite failed on ${file} (${reported}): try again; if it fails again, run waymark doctor, which checks the file.`,
];

/** Failures by SQLite's code, or by the system's: the first that matches. */
const MEANINGS: readonly (readonly [RegExp, Meaning])[] = [
  [
    /^SQLITE_(NOMEM|IOERR_NOMEM)/,
    ['OUT_OF_MEMORY', (file) => `SQLite ran out of memory on ${file}: free some memory and try again.`],
  ],
  [
    /^(SQLITE_)?(BUSY|LOCKED|PROTOCOL)|^EBUSY$/,
    ['BUSY', (file) => `Another process has been writing to ${file} for too long: try again when it has finished.`],
  ],
  [
    /^(SQLITE_FULL|ENOSPC|EDQUOT)/,
    [
      'DISK_FULL',
      (file, reported) =>
        `${file} cannot be written (${reported}), but what was stored before is kept: check the free space.`,
    ],
  ],
  [/^(SQLITE_(CANTOPEN|READONLY|PERM|AUTH|IOERR)|E[A-Z]+$)/, UNWRITABLE],
  [
    /^SQLITE_CONSTRAINT/,
    [
      'DATABASE_CONFLICT',
      (file, reported) =>
        `The change conflicts with what ${file} contains now (${reported}), and nothing was changed: try again; ` +
        'if it fails again, run waymark doctor.',
    ],
  ],
  [
    /^SQLITE_TOOBIG/,
    ['INPUT_TOO_LARGE', (_, reported) => `This exceeds a limit of SQLite (${reported}): pass less at once.`],
  ],
  [/^SQLITE_NOTADB/, NO_DATABASE],
  [/^SQLITE_/, FAILED],
];

/** Messages for exceeded limits of a statement, which have the same code as any error in SQL. */
const TOO_LARGE = /^(too many|too much|.* too (large|big|long|complex)|parser stack overflow)/i;

/** Codes that SQLite may also report for a sound file. */
const DOUBTFUL = /^SQLITE_(CORRUPT|ERROR)/;

/**
 * The `WaymarkError` for a failure of SQLite or of the file system; other errors are returned as they are. `check` is
 * called where SQLite reports damage: only what it confirms is called damaged.
 */
export function databaseError(error: unknown, file: string, check: () => Verdict = () => 'unchecked'): unknown {
  if (error instanceof WaymarkError || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const meaning = meaningOf(error.message, { code, file, check });
  if (!meaning) return error;
  const [waymarkCode, sentence] = meaning;
  return new WaymarkError(waymarkCode, sentence(file, error.message), { cause: error });
}

/** The error of calls after the database was closed. */
export function closedIndex(cause?: unknown): WaymarkError {
  const message = 'The index is closed: open it again with openEngine or openHost.';
  return new WaymarkError('ENGINE_CLOSED', message, { cause });
}

/** The error for a change of a database in a folder where no file can be created. */
export function readOnlyFolder(file: string): WaymarkError {
  const [code, sentence] = READ_ONLY_FOLDER;
  return new WaymarkError(code, sentence(file, ''));
}

function meaningOf(
  reported: string,
  { code, file, check }: { readonly code: string; readonly file: string; readonly check: () => Verdict },
): Meaning | undefined {
  if (code === 'SQLITE_ERROR' && TOO_LARGE.test(reported)) return meaningOfCode('SQLITE_TOOBIG');
  if (DOUBTFUL.test(code)) return judged(check(), file);
  if (/^SQLITE_(CANTOPEN|READONLY)/.test(code) && isInReadOnlyFolder(file)) {
    return /^SQLITE_READONLY(_DIRECTORY)?$/.test(code) ? READ_ONLY_FOLDER : NO_LOG;
  }
  return meaningOfCode(code);
}

function meaningOfCode(code: string): Meaning | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(code))?.[1];
}

function judged(verdict: Verdict, file: string): Meaning {
  if (verdict === 'damaged') {
    const lack = cutOff(file);
    return lack === undefined ? DAMAGED : cutOffMeaning(lack);
  }
  return verdict === 'unreadable' ? UNWRITABLE : FAILED;
}
