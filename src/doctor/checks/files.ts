import { counted } from '../../contract/wording.js';
import type { Connection } from '../../sqlite/connection/connection.js';
import { type FileJson, fileChecksum, isReadable } from '../../sqlite/files/seal-file.js';
import { isContentIntact } from '../../sqlite/files/stored-content.js';
import { hasCorrectTerms } from '../../sqlite/postings/file-terms.js';
import { arePartsIntact, storedParts, wholeText } from '../../sqlite/texts/text-parts.js';
import type { BotContext } from '../context.js';
import { be, listed } from '../describe.js';
import { type Finding, REPAIR } from '../finding.js';

/** A file that differs from its checksum or hash. */
export interface DamagedFile {
  readonly number: number;
  readonly key: string;
  readonly folder: string | null;
  /** Its record with the tags, its text, or uploaded bytes that are not searched. */
  readonly part: 'record' | 'text' | 'upload';
  /** Whether a repair can do no more: an earlier one excluded it from search, or its content is still awaited. */
  readonly isExcluded: boolean;
}

/** The state of a bot's files. */
export interface FilesState {
  readonly count: number;
  readonly damaged: readonly DamagedFile[];
  /** Row numbers of files that are not found by the terms of their names. */
  readonly withWrongTerms: readonly number[];
  /** Row numbers of files whose text is whole, although a search could not read its parts. */
  readonly withWrongParts: readonly number[];
  /** The number of files that an earlier version wrote without a checksum. */
  readonly withoutChecksum: number;
}

interface Row extends FileJson {
  readonly number: number;
  readonly key: string;
  readonly folder: string | null;
  readonly hash: string;
  readonly checksum: number | null;
}

/** Compares the files of a bot with their checksums and hashes. */
export function inspectFiles({ connection, bot }: BotContext): FilesState {
  const numbers = connection
    .prepare<[number], number>(`SELECT number FROM files WHERE +bot = ? ORDER BY number`)
    .pluck()
    .all(bot.number);
  const read = connection.prepare<[number], Row>(
    `SELECT number, key, folder, hash, checksum, metadata, warnings, access_policies AS accessPolicies
     FROM files WHERE number = ?`,
  );
  // An earlier version wrote none: they are written when the bot is opened.
  const hasTerms = connection.prepare<[number]>(`SELECT 1 FROM file_terms WHERE bot = ? LIMIT 1`).get(bot.number);
  const damaged: DamagedFile[] = [];
  const withWrongTerms: number[] = [];
  const withWrongParts: number[] = [];
  let withoutChecksum = 0;
  for (const number of numbers) {
    const row = read.get(number);
    if (!row) continue;
    if (row.checksum === null) withoutChecksum++;
    const isRecordIntact = row.checksum === null ? isReadable(row) : row.checksum === fileChecksum(connection, number);
    const { key, folder, hash } = row;
    const parts = storedParts(connection, number);
    const text = wholeText(parts, hash);
    const part = isRecordIntact ? damagedContent(connection, { ...row, text }) : 'record';
    if (hasTerms && isRecordIntact && !hasCorrectTerms(connection, row)) withWrongTerms.push(number);
    if (typeof text === 'string' && !arePartsIntact(parts, hash)) withWrongParts.push(number);
    if (part) damaged.push({ number, key, folder, part, isExcluded: hash === '' });
  }
  return { damaged, withWrongTerms, withWrongParts, withoutChecksum, count: numbers.length };
}

/** The finding about the state of a bot's files. */
export function checkFiles(
  { bot }: BotContext,
  { count, damaged, withWrongTerms, withWrongParts, withoutChecksum }: FilesState,
): Finding {
  const about = { check: 'files', bot: bot.name } as const;
  if (damaged.length > 0) {
    const names = listed(damaged.map(({ key, part }) => `${key} (${part})`));
    const message = `${damaged.length} of ${counted(count, 'file')} ${be(damaged.length)} damaged: ${names}.`;
    const lost = damaged.filter(({ isExcluded, part }) => isExcluded || part === 'upload').map(({ key }) => key);
    const again = `index or upload ${listed(lost)} again, or remove it with: waymark remove <key>`;
    return { ...about, state: 'damaged', message, remedy: lost.length === damaged.length ? again : REPAIR };
  }
  if (withWrongParts.length > 0) {
    const share = `${withWrongParts.length} of ${counted(count, 'file')}`;
    const message = `The texts of ${share} are whole, but the checksums or places of their parts are damaged.`;
    return { ...about, state: 'damaged', message, remedy: REPAIR };
  }
  if (withWrongTerms.length > 0) {
    const share = `${withWrongTerms.length} of ${counted(count, 'file')}`;
    const message = `${share} ${be(withWrongTerms.length)} not found by name.`;
    return { ...about, state: 'damaged', message, remedy: REPAIR };
  }
  if (withoutChecksum > 0) {
    const share = `${withoutChecksum} of ${counted(count, 'file')} ${be(withoutChecksum)}`;
    const message = `${share} without a checksum, from an earlier version.`;
    return { ...about, state: 'warning', message, remedy: REPAIR };
  }
  return { ...about, state: 'ok', message: `${counted(count, 'file')} ${be(count)} intact.` };
}

function damagedContent(
  connection: Connection,
  { number, text, hash }: Row & { readonly text: string | null | undefined },
): 'text' | 'upload' | undefined {
  // A file whose upload is awaited has neither text nor hash.
  const isTextIntact = text === null ? hash === '' : text !== undefined;
  if (!isTextIntact) return 'text';
  return isContentIntact(connection, number) ? undefined : 'upload';
}
