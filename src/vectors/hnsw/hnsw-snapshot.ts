import { open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WaymarkError } from '../../domain/errors.js';
import { damaged, type HnswFile, readHnswFile } from './hnsw-file.js';
import { HnswGraph } from './hnsw-graph.js';
import { withPrivateFolder } from './private-folder.js';

/** "WMHNSW1" and a newline: what a snapshot starts with. */
const MAGIC = Buffer.from('WMHNSW1\n');

/**
 * A graph as bytes, checked.
 *
 *     8 magic | 4 count | 4 × count ids by node | hnswlib's file        (integers little-endian)
 */
export interface HnswSnapshot {
  readonly ids: Uint32Array;
  readonly file: HnswFile;
}

/** Throws `VECTOR_INDEX_DAMAGED` for bytes that are not a whole snapshot of vectors of so many dimensions. */
export function readSnapshot(bytes: Uint8Array, dimensions: number): HnswSnapshot {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = MAGIC.length + 4;
  if (bytes.length < start || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) throw damaged('it is no snapshot');
  const count = view.getUint32(MAGIC.length, true);
  if (start + 4 * count > bytes.length) throw damaged('it is too short for its ids');
  const file = readHnswFile(bytes.subarray(start + 4 * count), dimensions);
  if (file.count !== count) throw damaged(`it has ${count} ids and ${file.count} nodes`);
  const ids = Uint32Array.from({ length: count }, (_, node) => view.getUint32(start + 4 * node, true));
  return { ids, file };
}

/**
 * The graph as it is now. hnswlib writes files only and does not say when it fails, so what it wrote is read back and
 * checked. Throws `VECTOR_INDEX_UNAVAILABLE` when the folder does not take it.
 */
export async function takeSnapshot(
  graph: HnswGraph,
  options: { dimensions: number; folder: string },
): Promise<Uint8Array> {
  try {
    return await withPrivateFolder(options.folder, async (folder) => {
      const path = join(folder, 'graph');
      graph.write(path);
      const bytes = await readBehind(header(graph.ids), path);
      readSnapshot(bytes, options.dimensions);
      return bytes;
    });
  } catch (error) {
    throw unwritable(options.folder, error);
  }
}

/** Hands the checked bytes to hnswlib, as a file; no node of the graph is alive yet. */
export async function openSnapshot(snapshot: HnswSnapshot, dimensions: number): Promise<HnswGraph> {
  const parent = tmpdir();
  try {
    return await withPrivateFolder(parent, async (folder) => {
      const path = join(folder, 'graph');
      await writeFile(path, snapshot.file.bytes, { flag: 'wx' });
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

/** The file's bytes behind the header, in one piece: a copy more would count, at hundreds of megabytes. */
async function readBehind(header: Buffer, path: string): Promise<Uint8Array> {
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
    `The graph of the HNSW index does not get through the folder ${folder}: make room there, or name another (TMPDIR).`,
    { cause },
  );
}
