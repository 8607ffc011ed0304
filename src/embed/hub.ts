import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { WaymarkError } from '../domain/errors.js';
import { WEIGHTS } from './model-files.js';

/** Files of a model on the hub; those marked optional may be missing there. */
const FILES = [
  { file: 'config.json', optional: false },
  { file: 'tokenizer.json', optional: false },
  { file: 'tokenizer_config.json', optional: false },
  { file: WEIGHTS, optional: false },
  { file: 'model-card.json', optional: true },
  { file: 'sentence_bert_config.json', optional: true },
  { file: path.join('1_Pooling', 'config.json'), optional: true },
];

/**
 * The folder of a hub model ("owner/name"), downloaded once into the user's cache and used from there, offline, ever
 * after. Throws `MODEL_MISSING` when it can neither be found there nor be fetched.
 */
export async function fetchModel(id: string, options?: { host?: string; cache?: string }): Promise<string> {
  const folder = path.join(options?.cache ?? path.join(homedir(), '.cache', 'waymark', 'models'), ...id.split('/'));
  if (existsSync(folder)) return folder;
  // Fetched beside its place and renamed at the end, so that an interrupted download is never taken for a model.
  const partial = `${folder}.${randomUUID()}`;
  try {
    for (const { file, optional } of FILES) await fetchFile(id, file, { optional, host: options?.host, to: partial });
    await rename(partial, folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WaymarkError(
      'MODEL_MISSING',
      `The model ${id} is not on this machine and could not be fetched (${reason}): check its name and the network, or give a model folder.`,
      { cause },
    );
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return folder;
}

async function fetchFile(
  id: string,
  file: string,
  options: { optional: boolean; host: string | undefined; to: string },
): Promise<void> {
  // Only here: it takes 30 ms to load, and most models are on this machine.
  const { env } = await import('./transformers-js.js');
  const base = options.host ?? env.remoteHost;
  const revision = env.remotePathTemplate.replaceAll('{model}', id).replaceAll('{revision}', 'main');
  const url = new URL(`${revision}${file.split(path.sep).join('/')}`, base.endsWith('/') ? base : `${base}/`);
  const response = await fetch(url);
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    if (options.optional && response.status === 404) return;
    throw new Error(`${url.href} answered ${response.status}`);
  }
  const target = path.join(options.to, file);
  await mkdir(path.dirname(target), { recursive: true });
  await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(target));
}
