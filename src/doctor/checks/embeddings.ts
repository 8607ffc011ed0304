import { counted } from '../../contract/wording.js';
import { embeddingChecksum } from '../../sqlite/connection/checksums.js';
import type { Connection } from '../../sqlite/connection/connection.js';
import { embeddingHash } from '../../sqlite/embeddings/stored-vector.js';
import { checkEmbedding } from '../../vectors/vector-index.js';
import type { DoctorContext } from '../context.js';
import { be } from '../describe.js';
import { type Finding, REPAIR } from '../finding.js';

interface Row {
  readonly number: number;
  readonly model: number;
  readonly hash: string;
  readonly text: string | null;
  readonly vector: Buffer | null;
  readonly checksum: number | null;
  readonly dimensions: number | null;
  readonly fingerprint: string | null;
  readonly isUnused: 0 | 1;
}

/** A model whose recorded dimensions are not those of its embeddings. */
export interface WrongDimensions {
  /** The row number of the model. */
  readonly model: number;
  readonly name: string;
  readonly recorded: number;
  readonly actual: number;
}

/** The state of all embeddings, by row number. */
export interface EmbeddingsState {
  readonly count: number;
  /** Embeddings whose checksum differs, and those that no vector index would accept. */
  readonly damaged: readonly number[];
  /** Intact embeddings that no passage uses and that are not scheduled for deletion. */
  readonly unused: readonly number[];
  /** The number of embeddings that an earlier version wrote without a checksum. */
  readonly withoutChecksum: number;
  /** Models with wrong recorded dimensions: their embeddings were checked with the actual ones. */
  readonly wrong: readonly WrongDimensions[];
}

/** The models whose intact embeddings all have other dimensions than those recorded. */
export function wrongDimensions({ connection }: Pick<DoctorContext, 'connection'>): WrongDimensions[] {
  const models = connection
    .prepare<[], Omit<WrongDimensions, 'actual'>>(`SELECT number AS model, name, dimensions AS recorded FROM models`)
    .all();
  const lengths = connection
    .prepare<[number], number>(`SELECT DISTINCT length(vector) FROM embeddings WHERE +model = ? AND vector IS NOT NULL`)
    .pluck();
  return models.flatMap((model) => {
    const written = lengths.all(model.model).filter((bytes) => hasIntactVector(connection, { ...model, bytes }));
    const actual = (written[0] ?? 0) / 4;
    const isWrong = written.length === 1 && Number.isInteger(actual) && actual !== model.recorded;
    return isWrong ? [{ ...model, actual }] : [];
  });
}

/** Whether an embedding of a length is as it was written. */
function hasIntactVector(
  connection: Connection,
  { model, bytes }: { readonly model: number; readonly bytes: number },
): boolean {
  const vectors = connection
    .prepare<[number, number], { hash: string; vector: Buffer; checksum: number }>(
      `SELECT hash, vector, checksum FROM embeddings
       WHERE +model = ? AND length(vector) = ? AND typeof(hash) = 'text' AND checksum IS NOT NULL`,
    )
    .iterate(model, bytes);
  for (const { hash, vector, checksum } of vectors) if (checksum === embeddingChecksum(hash, vector)) return true;
  return false;
}

/** Reads all embeddings of the database: bots of one model share them. */
export function inspectEmbeddings({ connection }: DoctorContext): EmbeddingsState {
  const wrong = wrongDimensions({ connection });
  const corrected = new Map(wrong.map(({ model, actual }) => [model, actual]));
  const rows = connection
    .prepare<[], Row>(
      `SELECT embeddings.number, model, hash, text, vector, checksum, dimensions, fingerprint,
         embeddings.number NOT IN (SELECT embedding FROM passages)
           AND embeddings.number NOT IN (SELECT embedding FROM unused)
           AND embeddings.number NOT IN (SELECT embedding FROM staged_passages) AS isUnused
       FROM embeddings LEFT JOIN models ON models.number = model`,
    )
    .iterate();
  const damaged: number[] = [];
  const unused: number[] = [];
  let [count, withoutChecksum] = [0, 0];
  for (const row of rows) {
    count++;
    if (row.vector && row.checksum === null) withoutChecksum++;
    // Those without passages are checked, too: a later passage with the same text would use them.
    if (!isIntact({ ...row, dimensions: corrected.get(row.model) ?? row.dimensions })) damaged.push(row.number);
    else if (row.isUnused) unused.push(row.number);
  }
  return { count, damaged, unused, withoutChecksum, wrong };
}

/** Checks all embeddings of the database. */
export function checkEmbeddings(context: DoctorContext): Finding {
  const check = 'embeddings';
  const { count, damaged, unused, withoutChecksum, wrong } = inspectEmbeddings(context);
  const faults = wrong.map(
    ({ name, recorded, actual }) =>
      `The recorded dimensions of ${name} are ${recorded}, but its embeddings have ${actual}.`,
  );
  const share = (part: number) => `${part} of ${counted(count, 'embedding')}`;
  if (damaged.length > 0) {
    faults.push(`${share(damaged.length)} ${be(damaged.length)} damaged: ${usersOf(context, damaged)}.`);
  }
  if (faults.length > 0) return { check, state: 'damaged', message: faults.join(' '), remedy: REPAIR };
  if (unused.length > 0) {
    const message = `${share(unused.length)} ${be(unused.length)} used by no passage.`;
    return { check, state: 'warning', message, remedy: REPAIR };
  }
  if (withoutChecksum > 0) {
    const message = `${share(withoutChecksum)} ${be(withoutChecksum)} without a checksum, from an earlier version.`;
    return { check, state: 'warning', message, remedy: REPAIR };
  }
  return { check, state: 'ok', message: `${counted(count, 'embedding')} ${be(count)} intact.` };
}

function isIntact({ hash, text, vector, checksum, dimensions, fingerprint }: Row): boolean {
  // One damaged bit can turn a text into a blob.
  if (dimensions === null || fingerprint === null || typeof hash !== 'string') return false;
  if (!vector) return text !== null && hash === embeddingHash(fingerprint, text);
  if (checksum !== null && checksum !== embeddingChecksum(hash, vector)) return false;
  try {
    checkEmbedding(new Float32Array(Uint8Array.from(vector).buffer, 0, vector.length >> 2), dimensions);
    return vector.length % 4 === 0;
  } catch {
    return false;
  }
}

/** The first passages that use some embeddings. */
function usersOf({ connection }: DoctorContext, embeddings: readonly number[]): string {
  const passages = connection
    .prepare<[string], string>(
      `SELECT 'passage ' || position || ' of ' || key FROM passages JOIN files ON files.number = +file
       WHERE +embedding IN (SELECT value FROM json_each(?)) ORDER BY key, position LIMIT 5`,
    )
    .pluck()
    .all(JSON.stringify(embeddings));
  return passages.length === 0 ? 'used by no passage' : passages.join(', ');
}
