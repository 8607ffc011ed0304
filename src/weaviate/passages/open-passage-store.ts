import type { PassageStore } from '../../storage/passage-store.js';
import type { OnStage } from '../../storage/stage.js';
import type { ModelIdentity } from '../../storage/storage.js';
import type { Cluster } from '../connection/cluster.js';
import { ContentPieces } from '../contents/content-pieces.js';
import { WeaviateContents } from '../contents/weaviate-contents.js';
import { FileHeads } from '../files/file-heads.js';
import { Unsearched } from '../files/unsearched.js';
import { Writes } from '../files/writes.js';
import { PASSAGES } from '../schema/collections.js';
import { createTenant, passagesTenant } from '../schema/tenants.js';
import { Candidates } from './candidates.js';
import { FilePuts } from './file-puts.js';
import { FileWriter } from './file-writer.js';
import { PassageObjects } from './passage-objects.js';
import { PassageTexts } from './passage-texts.js';
import { SettledWrites } from './settled-writes.js';
import { TermFrequencies } from './term-frequencies.js';
import { WeaviatePassageStore } from './weaviate-passage-store.js';
import { WeaviateReader } from './weaviate-reader.js';
import { WeaviateRetriever } from './weaviate-retriever.js';

/** Whose passages to open, and with what. */
export interface PassageStoreOptions {
  readonly bot: string;
  readonly model: Pick<ModelIdentity, 'fingerprint' | 'dimensions'>;
  /** The stem of a term. It must be the one that the embedded engine has. */
  readonly stem: (term: string) => string;
  readonly onStage?: OnStage | undefined;
  /** Throws `MODEL_MISMATCH`, `BOT_MISSING`. */
  readonly checkModel: () => Promise<void>;
}

/** Opens the passages of a bot, embedded with a model. The bot's other tenants must exist. */
export async function openPassageStore(cluster: Cluster, options: PassageStoreOptions): Promise<PassageStore> {
  const { bot, model, stem, onStage, checkModel } = options;
  const tenant = passagesTenant(bot, model.fingerprint);
  await createTenant(cluster, PASSAGES, tenant);
  const objects = new PassageObjects(cluster, tenant);
  const heads = new FileHeads(cluster, bot);
  const writes = new Writes(cluster, bot);
  const contents = new ContentPieces(cluster, bot);
  const frequencies = new TermFrequencies(objects);
  const candidates = new Candidates();
  const unsearched = new Unsearched(cluster, { bot, heads, writes });
  const texts = new PassageTexts(objects, { heads, writes });
  const settled = new SettledWrites({ objects, heads, writes, contents });
  const writer = new FileWriter({ objects, heads, writes, contents, settled, stem });
  const staging = new WeaviateContents(cluster);
  return new WeaviatePassageStore({
    ...{ heads, contents, texts, frequencies, writer, checkModel },
    dimensions: model.dimensions,
    puts: new FilePuts({ bot, heads, contents, staging, texts, writer }),
    retriever: new WeaviateRetriever({ objects, heads, frequencies, unsearched, candidates, stem, onStage }),
    reader: new WeaviateReader({ objects, heads, candidates }),
  });
}
