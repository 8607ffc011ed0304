import type { PassageStore } from '../../storage/passage-store.js';
import type { OnStage } from '../../storage/search-stage.js';
import type { ModelIdentity } from '../../storage/storage.js';
import type { Cluster, Finder } from '../connection/cluster.js';
import { ContentPieces } from '../contents/content-pieces.js';
import { WeaviateContents } from '../contents/weaviate-contents.js';
import { FileHeads } from '../files/file-heads.js';
import { HiddenPassages } from '../files/hidden-passages.js';
import { WeaviateUploadAddresses } from '../files/weaviate-upload-addresses.js';
import { Writes } from '../files/writes.js';
import type { KeyLocks } from '../records/key-locks.js';
import { PASSAGES } from '../schema/collections.js';
import { createTenant, passagesTenant } from '../schema/tenants.js';
import { Candidates } from './candidates.js';
import { FilePuts } from './file-puts.js';
import { FileWriter, type FileWriterParts } from './file-writer.js';
import { PassageBodies } from './passage-bodies.js';
import { PassageObjects } from './passage-objects.js';
import { PassageTexts } from './passage-texts.js';
import { SettledWrites } from './settled-writes.js';
import { TermFrequencies } from './term-frequencies.js';
import { WeaviatePassageStore } from './weaviate-passage-store.js';
import { WeaviateReader } from './weaviate-reader.js';
import { WeaviateRetriever } from './weaviate-retriever.js';

/** Whose passages they are, and the model that has embedded them. */
export interface PassagesOf {
  readonly bot: string;
  readonly fingerprint: string;
  /** The stem of a term. It must be the one that the embedded engine has. */
  readonly stem: (term: string) => string;
}

/** How to open the passages of a bot. */
export interface PassageStoreOptions extends Omit<PassagesOf, 'fingerprint'> {
  readonly model: Pick<ModelIdentity, 'fingerprint' | 'dimensions'>;
  /** Shared with what else writes the files of the bot in this process. */
  readonly locks: KeyLocks;
  readonly onStage?: OnStage | undefined;
  /** Part of a round trip, if it is given one. Throws `MODEL_MISMATCH`, `BOT_MISSING`. */
  readonly checkModel: (find?: Finder) => Promise<void>;
  /** Removes what re-embeddings with other models have left. */
  readonly sweepModels: () => Promise<void>;
}

/** Opens the passages of a bot, embedded with a model. The bot's other tenants must exist. */
export async function openPassageStore(cluster: Cluster, options: PassageStoreOptions): Promise<PassageStore> {
  const { bot, model, stem, locks, onStage, checkModel, sweepModels } = options;
  const { fingerprint, dimensions } = model;
  await createTenant(cluster, PASSAGES, passagesTenant(bot, fingerprint));
  const parts = writerParts(cluster, { bot, fingerprint, stem });
  const { objects, heads, writes, contents, bodies } = parts;
  const writer = new FileWriter({ ...parts, checkModel });
  const texts = new PassageTexts(objects, { heads, writes });
  const frequencies = new TermFrequencies(objects);
  const candidates = new Candidates();
  const hiddenPassages = new HiddenPassages(cluster, { bot, heads, writes });
  const found = { objects, heads, frequencies, hiddenPassages, candidates };
  const [staging, addresses] = [new WeaviateContents(cluster), new WeaviateUploadAddresses(cluster)];
  return new WeaviatePassageStore({
    ...{ dimensions, heads, contents, texts, frequencies, writer, locks, sweepModels },
    puts: new FilePuts({ bot, heads, contents, staging, addresses, texts, writer }),
    retriever: new WeaviateRetriever({ ...found, stem, checkModel, onStage }),
    reader: new WeaviateReader({ objects, bodies, heads, candidates, checkModel }),
    checkModel,
  });
}

/** Opens what writes the files of a bot whose passages a model has embedded. */
export function openFileWriter(cluster: Cluster, passages: PassagesOf): FileWriter {
  return new FileWriter(writerParts(cluster, passages));
}

/** What writes the passages of a bot and model. */
export function writerParts(cluster: Cluster, { bot, fingerprint, stem }: PassagesOf): FileWriterParts {
  const objects = new PassageObjects(cluster, passagesTenant(bot, fingerprint));
  const heads = new FileHeads(cluster, bot);
  const writes = new Writes(cluster, bot);
  const contents = new ContentPieces(cluster, bot);
  const bodies = new PassageBodies(cluster, { bot, fingerprint });
  const settled = new SettledWrites({ objects, heads, writes, contents });
  return { objects, heads, writes, contents, bodies, settled, stem };
}
