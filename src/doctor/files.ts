import { fileChecksum } from '../sqlite/connection/checksums.js';
import { crc32 } from '../sqlite/connection/crc32.js';
import { hasHash } from '../sqlite/files/file-texts.js';
import type { BotContext } from './context.js';
import { counted, type Finding, named, REPAIR } from './finding.js';

/** A file that is not as it was written. */
export interface DamagedFile {
  readonly number: number;
  readonly key: string;
  readonly folder: string | null;
  /** What of it: its row or tags, its text, or bytes that were uploaded and are not searched. */
  readonly part: 'row' | 'text' | 'content';
  /** Whether a repair has taken it out of the index already, because its text is nowhere else. */
  readonly withdrawn: boolean;
}

interface Row {
  readonly number: number;
  readonly key: string;
  readonly folder: string | null;
  readonly hash: string;
  readonly checksum: number | null;
  readonly text: string | null;
}

/** Files of a bot whose row, text or content has another checksum than it was written with. */
export function damagedFiles({ connection, bot }: BotContext): {
  damaged: DamagedFile[];
  withoutChecksum: number;
  count: number;
} {
  const numbers = connection
    .prepare<[number], number>(`SELECT number FROM files WHERE +bot = ? ORDER BY number`)
    .pluck()
    .all(bot.number);
  const read = connection.prepare<[number], Row>(
    `SELECT number, key, folder, hash, checksum, text FROM files LEFT JOIN texts ON file = number WHERE number = ?`,
  );
  const content = connection.prepare<[number], { bytes: Buffer; checksum: number | null }>(
    `SELECT bytes, checksum FROM contents WHERE file = ?`,
  );
  const damaged: DamagedFile[] = [];
  let withoutChecksum = 0;
  for (const number of numbers) {
    const row = read.get(number);
    if (!row) continue;
    const { key, folder, hash, checksum, text } = row;
    const uploaded = content.get(number);
    if (checksum === null) withoutChecksum++;
    // Of a file that waits for its content there is no text, and no hash.
    const isWhole = text === null ? hash === '' : hasHash(text, hash);
    const isUploadWhole = !uploaded || uploaded.checksum === null || uploaded.checksum === crc32(uploaded.bytes);
    const about = { number, key, folder, withdrawn: text !== null && hash === '' };
    if (checksum !== null && checksum !== fileChecksum(connection, number)) damaged.push({ ...about, part: 'row' });
    else if (!isWhole) damaged.push({ ...about, part: 'text' });
    else if (!isUploadWhole) damaged.push({ ...about, part: 'content' });
  }
  return { damaged, withoutChecksum, count: numbers.length };
}

export function checkFiles(context: BotContext): Finding {
  const about = { check: 'files', bot: context.bot.name } as const;
  const { damaged, withoutChecksum, count } = damagedFiles(context);
  if (damaged.length > 0) {
    const names = damaged.map(({ key, part }) => (part === 'row' ? `what is kept of ${key}` : `the ${part} of ${key}`));
    const message = `Of ${counted(count, 'file')} ${named(names)} is damaged.`;
    const lost = damaged.filter(({ withdrawn, part }) => withdrawn || part === 'content').map(({ key }) => key);
    const again = `index or upload ${named(lost)} again, or remove it with: waymark remove <key>`;
    return { ...about, state: 'damaged', message, remedy: lost.length === damaged.length ? again : REPAIR };
  }
  if (withoutChecksum > 0) {
    const message = `${counted(withoutChecksum, 'file')} were indexed before there were checksums.`;
    return { ...about, state: 'warning', message, remedy: REPAIR };
  }
  return {
    ...about,
    state: 'ok',
    message: `${counted(count, 'file')} and ${count === 1 ? 'its text' : 'their texts'} as written.`,
  };
}
