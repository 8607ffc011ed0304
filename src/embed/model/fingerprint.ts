import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Abortable, assertNotAborted } from '../../domain/abortable.js';
import type { ModelCard } from '../embedder.js';
import { WEIGHTS } from './model-files.js';
import { readJson, unreadable } from './read-json.js';

/**
 * The runtime of the first fingerprints. It is left out of the hash, so that those fingerprints stay valid. Any other
 * version is included, because the vectors of an int8 model change with the kernels that compute them.
 */
const FIRST_RUNTIME = '1.14.0';

/**
 * The fields of tokenizer_config.json that token ids depend on. They are left out of the hash for the first tokenizer,
 * that of BERT, so that its fingerprints stay valid.
 */
const TOKENIZER_FIELDS = ['tokenizer_class', 'do_lowercase_and_remove_accent', 'remove_space', 'legacy'] as const;
const FIRST_TOKENIZER = { tokenizer_class: 'BertTokenizer' };

/**
 * SHA-256 of everything that affects a passage's embedding. `runtime` is the version of onnxruntime-node and defaults
 * to the one installed. Throws `MODEL_INVALID`, `ABORTED`.
 */
export async function fingerprintOf(
  folder: string,
  card: Pick<ModelCard, 'pooling' | 'passagePrefix' | 'maxTokens'>,
  { runtime = installedRuntime(), signal }: Abortable & { readonly runtime?: string | undefined } = {},
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([card.pooling, card.passagePrefix, card.maxTokens]));
  if (runtime !== FIRST_RUNTIME) hash.update(`\0onnxruntime-node ${runtime}`);
  const config = await readJson(path.join(folder, 'tokenizer_config.json'));
  const tokenizer = JSON.stringify(config, [...TOKENIZER_FIELDS].sort());
  if (tokenizer !== JSON.stringify(FIRST_TOKENIZER)) hash.update(`\0tokenizer ${tokenizer}`);
  for (const name of ['tokenizer.json', WEIGHTS]) {
    const file = path.join(folder, name);
    try {
      for await (const bytes of createReadStream(file, { highWaterMark: 1 << 20, signal }))
        hash.update(bytes as Buffer);
    } catch (cause) {
      assertNotAborted(signal);
      throw unreadable(`${file} cannot be read`, cause);
    }
  }
  return hash.digest('hex');
}

function installedRuntime(): string {
  const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json');
  return version;
}
