import { PART, partsOf } from '../../storage/contents.js';
import { stableUuid } from '../../storage/ids/stable-uuid.js';
import type { Cluster, Partition } from '../connection/cluster.js';
import { objectsById } from '../connection/objects-by-id.js';
import type { StoredObject } from '../connection/stored-object.js';
import { CONTENTS } from '../schema/collections.js';

/** Pieces that are written or read at once: 4 MiB. */
const GROUP = 16;

/** The texts and contents of one bot's files, in pieces of `PART` bytes. */
export class ContentPieces {
  readonly #cluster: Cluster;
  readonly #partition: Partition;

  constructor(cluster: Cluster, bot: string) {
    this.#cluster = cluster;
    this.#partition = { collection: CONTENTS, tenant: bot };
  }

  /** Stores the text of a generation. */
  async putText(generation: string, text: string): Promise<void> {
    const objects: StoredObject[] = [];
    for await (const part of partsOf([Buffer.from(text)])) objects.push(pieceOf(generation, objects.length, part));
    // So that an empty text differs from a missing one.
    if (objects.length === 0) objects.push(pieceOf(generation, 0, new Uint8Array()));
    await this.#cluster.insert(this.#partition, objects);
  }

  /**
   * The text of a generation; undefined if it is missing. If it is removed meanwhile, its end may be missing:
   * `textOfHead` compares its hash.
   */
  async textOf(generation: string): Promise<string | undefined> {
    const parts: Uint8Array[] = [];
    for (;;) {
      const group = await this.pieces(generation, { from: parts.length, count: GROUP });
      const end = group.indexOf(undefined);
      parts.push(...(group.slice(0, end < 0 ? GROUP : end) as Uint8Array[]));
      const isEnd = end >= 0 || (parts.at(-1)?.length ?? 0) < PART;
      if (isEnd) return parts.length === 0 ? undefined : Buffer.concat(parts).toString();
    }
  }

  /** Stores one piece of a content; all but the last have `PART` bytes. */
  async put(content: string, index: number, bytes: Uint8Array): Promise<void> {
    await this.#cluster.insert(this.#partition, [pieceOf(content, index, bytes)]);
  }

  /** Consecutive pieces of a content; undefined for those that are missing. */
  async pieces(
    content: string,
    { from, count }: { readonly from: number; readonly count: number },
  ): Promise<(Uint8Array | undefined)[]> {
    const ids = Array.from({ length: count }, (_, i) => objectId(content, from + i));
    const found = await this.#cluster.roundTrip((find) =>
      objectsById(find(this.#partition.collection, this.#partition.tenant), ids),
    );
    const byId = new Map(found.map(({ uuid, properties }) => [uuid as string, properties]));
    return ids.map((id) => {
      const piece = byId.get(id) as { readonly bytes: string } | undefined;
      return piece && Buffer.from(piece.bytes, 'base64');
    });
  }

  /** Removes contents, or texts, by their ids; those that are missing are passed over. */
  async remove(...contents: readonly string[]): Promise<void> {
    if (contents.length === 0) return;
    await this.#cluster.deleteWhere(this.#partition, ({ filter }) =>
      filter.byProperty('content').containsAny([...contents]),
    );
  }
}

function pieceOf(content: string, index: number, bytes: Uint8Array): StoredObject {
  return { id: objectId(content, index), properties: { content, bytes: Buffer.from(bytes).toString('base64') } };
}

function objectId(content: string, index: number): string {
  return stableUuid(['content', content, index]);
}
