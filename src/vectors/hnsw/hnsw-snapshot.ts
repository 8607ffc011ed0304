import { open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { WaymarkError } from '../../domain/errors.js';
import { damaged, type HnswFile, readHnswFile } from './hnsw-file.js';
import { HnswGraph } from './hnsw-graph.js';
import { withTemporaryFile } from './temporary-file.js';

/** The first bytes of a snapshot. */
const MAGIC = Buffer.from('WMHNSW1\n');

/**
 * A graph as checked bytes. Integers are little-endian.
 *
 *     8 magic | 4 count | 4 × count ids by node | hnswlib's file
 */
export interface HnswSnapshot {
  /** The id of each node. */
  readonly ids: Uint32Array;
  /** hnswlib's file, with the vectors. */
  readonly file: HnswFile;
}

/** Parses a snapshot. Throws `VECTOR_INDEX_DAMAGED` unless it is complete and holds vectors of `dimensions`. */
export async function readSnapshot(bytes: Uint8Array, dimensions: number): Promise<HnswSnapshot> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = MAGIC.length + 4;
  if (bytes.length < start || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) throw damaged('it is not a snapshot');
  const count = view.getUint32(MAGIC.length, true);
  if (start + 4 * count > bytes.length) throw damaged('it is too short for its ids');
  const file = await readHnswFile(bytes.subarray(start + 4 * count), dimensions);
  if (file.count !== count) throw damaged(`it has ${count} ids and ${file.count} nodes`);
  const ids = Uint32Array.from({ length: count }, (_, node) => view.getUint32(start + 4 * node, true));
  return { ids, file };
}

/**
 * Takes a snapshot of the graph. hnswlib only writes files and does not report failures, so the file is read back and
 * checked. Throws `VECTOR_INDEX_UNAVAILABLE` when it cannot be written in `folder`.
 */
export async function takeSnapshot(
  graph: HnswGraph,
  options: { dimensions: number; folder: string },
): Promise<Uint8Array> {
  try {
    return await withTemporaryFile(options.folder, async (path) => {
      graph.write(path);
      const bytes = await readFileAfter(header(graph.ids), path);
      await readSnapshot(bytes, options.dimensions);
      return bytes;
    });
  } catch (error) {
    throw unwritable(options.folder, error);
  }
}

/**
 * Loads a checked snapshot into hnswlib, through a temporary file. All nodes are tombstones. Throws
 * `VECTOR_INDEX_UNAVAILABLE` when the file cannot be written.
 */
export async function openSnapshot(snapshot: HnswSnapshot, dimensions: number): Promise<HnswGraph> {
  const parent = tmpdir();
  try {
    return await withTemporaryFile(parent, async (path) => {
      await writeFile(path, snapshot.file.bytes);
      return HnswGraph.load(path, { dimensions, ids: snapshot.ids });
    });
  } catch (error) {
    throw error instanceof WaymarkError ? error : unwritable(parent, error);
  }
}

function header(ids: readonly number[]): Buffer {
  const bytes = Buffer.alloc(MAGIC.length + 4 + 4 * ids.length);
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(ids.length, MAGIC.length);
  for (const [node, id] of ids.entries()) bytes.writeUInt32LE(id, MAGIC.length + 4 + 4 * node);
  return bytes;
}

/** The header followed by the file, read into one buffer: concatenating would copy hundreds of megabytes. */
async function readFileAfter(header: Buffer, path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(header.length + (await file.stat()).size);
    bytes.set(header);
    for (let at = header.length; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, Math.min(bytes.length - at, 2 ** 30));
      if (bytesRead === 0) throw damaged('its file ends early');
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

function unwritable(folder: string, cause: unknown): WaymarkError {
  return new WaymarkError(
    'VECTOR_INDEX_UNAVAILABLE',
    `The HNSW graph cannot be written to a temporary file in ${folder}: ` +
      'free some space there, or set TMPDIR to another folder.',
    { cause },
  );
}
