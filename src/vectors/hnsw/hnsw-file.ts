import { setImmediate } from 'node:timers/promises';
import { WaymarkError } from '../../domain/errors.js';

/** Maximum number of links of a node on each upper level; level 0 has twice as many. */
export const M = 16;

/** Number of candidates considered when a node is linked. */
export const EF_CONSTRUCTION = 200;

/** Capacity of a new graph. It doubles when full, which the check of a file's capacity relies on. */
export const INITIAL_NODES = 1024;

/** Nodes that are checked in one turn of the event loop: some milliseconds. */
export const NODES_AT_ONCE = 4096;

const HEADER_BYTES = 96;
const LEVEL_0_BYTES = 4 + 4 * 2 * M;
const LEVEL_BYTES = 4 + 4 * M;
const NO_NODE = 0xffff_ffff;

/** A file of hnswlib 0.8 that has been checked. */
export interface HnswFile {
  readonly bytes: Uint8Array;
  /** Number of nodes. */
  readonly count: number;
}

/** The bytes of a node's vector: float32, little-endian. */
export function vectorBytes(file: HnswFile, node: { index: number; dimensions: number }): Uint8Array {
  const start = HEADER_BYTES + node.index * nodeBytes(node.dimensions) + LEVEL_0_BYTES;
  return file.bytes.subarray(start, start + 4 * node.dimensions);
}

/**
 * Checks everything that hnswlib's loadIndex (hnswalg.h), searches and inserts rely on without checking: sizes, counts,
 * every link, labels, levels and the entry point, but not the vectors. The event loop runs meanwhile. Throws
 * `VECTOR_INDEX_DAMAGED`.
 *
 *     header            8 offsetLevel0 | 8 capacity | 8 count | 8 node bytes | 8 label offset | 8 vector offset
 *                       4 top level | 4 entry point | 8 M | 8 M of level 0 | 8 M | 8 float64 1/ln M | 8 efConstruction
 *     per node          4 number of links | 4 × 32 links | 4 × dimensions vector | 8 label
 *     then, per node    4 bytes that follow | per upper level: 4 number of links | 4 × 16 links
 */
export async function readHnswFile(bytes: Uint8Array, dimensions: number): Promise<HnswFile> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { count, topLevel, entryPoint } = readHeader(view, dimensions);
  for (let node = 0; node < count; node++) {
    if (node % NODES_AT_ONCE === 0) await setImmediate();
    const start = HEADER_BYTES + node * nodeBytes(dimensions);
    checkLinks(view, { start, node, maximum: 2 * M, accepts: (other) => other < count });
    // The graph is append-only, so a node's label is its index.
    check(size(view, start + LEVEL_0_BYTES + 4 * dimensions) === node, `the label of node ${node} is wrong`);
  }
  const { levels, starts } = readLevels(view, { count, from: HEADER_BYTES + count * nodeBytes(dimensions), topLevel });
  for (let node = 0; node < count; node++) {
    if (node % NODES_AT_ONCE === 0) await setImmediate();
    for (let level = 1; level <= (levels[node] as number); level++) {
      const start = (starts[node] as number) + (level - 1) * LEVEL_BYTES;
      checkLinks(view, { start, node, maximum: M, accepts: (other) => (levels[other] ?? -1) >= level });
    }
  }
  if (count === 0) check(topLevel === -1 && entryPoint === NO_NODE, 'it is empty but has an entry point');
  else check(levels[entryPoint] === topLevel, 'its entry point is not on the top level');
  return { bytes, count };
}

function readHeader(view: DataView, dimensions: number): { count: number; topLevel: number; entryPoint: number } {
  check(view.byteLength >= HEADER_BYTES, 'it is shorter than a header');
  const [capacity, count] = [size(view, 8), size(view, 16)];
  check(size(view, 24) === nodeBytes(dimensions), `its vectors do not have ${dimensions} dimensions`);
  check(count * (nodeBytes(dimensions) + 4) <= view.byteLength - HEADER_BYTES, 'it is too short for its nodes');
  check(capacity >= count && capacity <= Math.max(INITIAL_NODES, 2 * count), `its capacity is ${capacity}`);
  const [vector, label] = [LEVEL_0_BYTES, LEVEL_0_BYTES + 4 * dimensions];
  check(size(view, 0) === 0 && size(view, 32) === label && size(view, 40) === vector, 'its offsets are wrong');
  check(size(view, 56) === M && size(view, 64) === 2 * M && size(view, 72) === M, 'its M is wrong');
  check(Math.abs(view.getFloat64(80, true) * Math.log(M) - 1) < 1e-12, 'its level factor is wrong');
  check(size(view, 88) === EF_CONSTRUCTION, 'its efConstruction is wrong');
  return { count, topLevel: view.getInt32(48, true), entryPoint: view.getUint32(52, true) };
}

/** The top level of each node and the offset of its upper links. */
function readLevels(
  view: DataView,
  nodes: { count: number; from: number; topLevel: number },
): { levels: Uint8Array; starts: Float64Array } {
  const levels = new Uint8Array(nodes.count);
  const starts = new Float64Array(nodes.count);
  let offset = nodes.from;
  for (let node = 0; node < nodes.count; node++) {
    check(offset + 4 <= view.byteLength, `it ends before node ${node}`);
    const bytes = view.getUint32(offset, true);
    const level = bytes / LEVEL_BYTES;
    check(
      Number.isInteger(level) && level <= 255 && level <= nodes.topLevel,
      `node ${node} has ${bytes} bytes of upper levels`,
    );
    check(offset + 4 + bytes <= view.byteLength, `it ends within node ${node}`);
    levels[node] = level;
    starts[node] = offset + 4;
    offset += 4 + bytes;
  }
  check(offset === view.byteLength, `${view.byteLength - offset} bytes follow its end`);
  return { levels, starts };
}

function checkLinks(
  view: DataView,
  list: { start: number; node: number; maximum: number; accepts: (other: number) => boolean },
): void {
  // The upper half of the number is hnswlib's deletion mark, which is not used: a marked node has too many links.
  const number = view.getUint32(list.start, true);
  if (number > list.maximum) throw damaged(`node ${list.node} has ${number} links`);
  for (let link = 1; link <= number; link++) {
    const other = view.getUint32(list.start + 4 * link, true);
    if (other === list.node || !list.accepts(other)) throw damaged(`node ${list.node} is linked to ${other}`);
  }
}

function nodeBytes(dimensions: number): number {
  return LEVEL_0_BYTES + 4 * dimensions + 8;
}

/** A 64-bit size_t. Above 2⁵³ the result is rounded; no check accepts such a number. */
function size(view: DataView, offset: number): number {
  return view.getUint32(offset, true) + 2 ** 32 * view.getUint32(offset + 4, true);
}

function check(holds: boolean, fault: string): void {
  if (!holds) throw damaged(fault);
}

/** `VECTOR_INDEX_DAMAGED`; `fault` says what is wrong with "it", the snapshot. */
export function damaged(fault: string, cause?: unknown): WaymarkError {
  return new WaymarkError(
    'VECTOR_INDEX_DAMAGED',
    `The snapshot of the HNSW index cannot be used (${fault}): rebuild the index from the embeddings.`,
    { cause },
  );
}
