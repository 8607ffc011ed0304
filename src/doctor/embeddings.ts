import { embeddingChecksum } from '../sqlite/connection/checksums.js';
import { embeddingHash } from '../sqlite/embeddings/stored-vector.js';
import { checkEmbedding } from '../vectors/vector-index.js';
import type { DoctorContext } from './context.js';
import { counted, type Finding, REPAIR } from './finding.js';

interface Row {
  readonly number: number;
  readonly hash: string;
  readonly text: string | null;
  readonly vector: Buffer | null;
  readonly checksum: number | null;
  readonly dimensions: number | null;
  readonly fingerprint: string | null;
  readonly orphaned: 0 | 1;
}

export interface Embedded {
  readonly count: number;
  /** Numbers of embeddings that are not as they were written, or never could be used. */
  readonly damaged: readonly number[];
  /** Those that no passage has. */
  readonly orphans: readonly number[];
  /** How many have no checksum yet. */
  readonly withoutChecksum: number;
}

/** All embeddings of the database: bots of one model share them. */
export function embeddingsOf({ connection }: DoctorContext): Embedded {
  const rows = connection
    .prepare<[], Row>(
      `SELECT embeddings.number, hash, text, vector, checksum, dimensions, fingerprint,
         embeddings.number NOT IN (SELECT embedding FROM passages)
           AND embeddings.number NOT IN (SELECT embedding FROM unused)
           AND embeddings.number NOT IN (SELECT embedding FROM staged_passages) AS orphaned
       FROM embeddings LEFT JOIN models ON models.number = model`,
    )
    .iterate();
  const damaged: number[] = [];
  const orphans: number[] = [];
  let [count, withoutChecksum] = [0, 0];
  for (const row of rows) {
    count++;
    if (row.vector && row.checksum === null) withoutChecksum++;
    if (row.orphaned) orphans.push(row.number);
    else if (!isSound(row)) damaged.push(row.number);
  }
  return { count, damaged, orphans, withoutChecksum };
}

export function checkEmbeddings(context: DoctorContext): Finding {
  const check = 'embeddings';
  const { count, damaged, orphans, withoutChecksum } = embeddingsOf(context);
  if (damaged.length > 0) {
    const keys = keysOf(context, damaged);
    const message = `Of ${counted(count, 'embedding')} ${damaged.length} ${damaged.length === 1 ? 'is' : 'are'} damaged: ${keys}.`;
    return { check, state: 'damaged', message, remedy: REPAIR };
  }
  if (orphans.length > 0) {
    const message = `${counted(orphans.length, 'embedding')} of ${count} without a passage.`;
    return { check, state: 'warning', message, remedy: REPAIR };
  }
  if (withoutChecksum > 0) {
    const message = `${counted(withoutChecksum, 'embedding')} of ${count} were written before there were checksums.`;
    return { check, state: 'warning', message, remedy: REPAIR };
  }
  return { check, state: 'ok', message: `${counted(count, 'embedding')} as written, and of length 1.` };
}

function isSound({ hash, text, vector, checksum, dimensions, fingerprint }: Row): boolean {
  if (dimensions === null || fingerprint === null) return false;
  if (!vector) return text !== null && hash === embeddingHash(fingerprint, text);
  if (checksum !== null && checksum !== embeddingChecksum(hash, vector)) return false;
  try {
    checkEmbedding(new Float32Array(Uint8Array.from(vector).buffer, 0, vector.length >> 2), dimensions);
    return vector.length % 4 === 0;
  } catch {
    return false;
  }
}

function keysOf({ connection }: DoctorContext, numbers: readonly number[]): string {
  const places = connection
    .prepare<[string], string>(
      `SELECT 'passage ' || position || ' of ' || key FROM passages JOIN files ON files.number = +file
       WHERE +embedding IN (SELECT value FROM json_each(?)) ORDER BY key, position LIMIT 5`,
    )
    .pluck()
    .all(JSON.stringify(numbers));
  return places.length === 0 ? 'of no passage that is there' : places.join(', ');
}
