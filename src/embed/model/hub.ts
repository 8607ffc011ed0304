import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { type Abortable, assertNotAborted } from '../../domain/abortable.js';
import { errorOf, reasonOf, WaymarkError } from '../../domain/errors.js';
import { CARD_FILE } from './model-card.js';
import { WEIGHTS } from './model-files.js';

const HUB = 'https://huggingface.co';

/** Milliseconds after which a download counts as abandoned by a killed process: a day. */
const ABANDONED = 24 * 60 * 60_000;

/** The end of the name of a download's folder; the name of the model comes before it. */
const DOWNLOAD = /^\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The files to fetch of a model. */
const FILES = [
  { file: 'config.json', optional: false },
  { file: 'tokenizer.json', optional: false },
  { file: 'tokenizer_config.json', optional: false },
  { file: WEIGHTS, optional: false },
  { file: CARD_FILE, optional: true },
  { file: 'sentence_bert_config.json', optional: true },
  { file: path.join('1_Pooling', 'config.json'), optional: true },
];

/**
 * Returns the folder of a hub model ("owner/name"), which is downloaded once into `cache` and used offline from then
 * on. `host` defaults to https://huggingface.co, `cache` to `~/.cache/waymark/models`. Throws `MODEL_MISSING` when the
 * model is neither in the cache nor can be fetched, and `ABORTED`.
 */
export async function fetchModel(
  id: string,
  options: Abortable & { host?: string; cache?: string } = {},
): Promise<string> {
  const { host = HUB, cache = path.join(homedir(), '.cache', 'waymark', 'models') } = options;
  const folder = path.join(cache, ...id.split('/'));
  if (existsSync(folder)) return folder;
  // Fetched into a folder beside it and renamed at the end: an interrupted download is never mistaken for a model.
  const partial = `${folder}.${randomUUID()}`;
  try {
    await removeAbandoned(folder);
    for (const { file, optional } of FILES) {
      const url = `${host.replace(/\/$/, '')}/${id}/resolve/main/${file.split(path.sep).join('/')}`;
      await fetchFile(url, { optional, target: path.join(partial, file), signal: options.signal });
    }
    await rename(partial, folder).catch((error: unknown) => {
      // Another process has fetched it meanwhile.
      if (!existsSync(folder)) throw error;
    });
  } catch (cause) {
    assertNotAborted(options.signal);
    const reason = reasonOf(cause);
    const place = path.resolve(id);
    const hint = existsSync(place) ? '' : ` If a folder is meant, there is none at ${place}.`;
    throw new WaymarkError(
      'MODEL_MISSING',
      `The model ${id} is not on this machine and could not be fetched (${reason}): ` +
        `check its name and the network.${hint}`,
      { cause },
    );
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return folder;
}

/** Removes what killed processes have left of downloads of the model in a folder. */
async function removeAbandoned(folder: string): Promise<void> {
  const [owner, model] = [path.dirname(folder), path.basename(folder)];
  if (!existsSync(owner)) return;
  const downloads = (await readdir(owner)).filter(
    (name) => name.startsWith(model) && DOWNLOAD.test(name.slice(model.length)),
  );
  for (const name of downloads) {
    const place = path.join(owner, name);
    const found = statSync(place, { throwIfNoEntry: false });
    if (found && found.mtimeMs < Date.now() - ABANDONED) await rm(place, { recursive: true, force: true });
  }
}

async function fetchFile(
  url: string,
  { optional, target, signal = null }: { optional: boolean; target: string; signal?: AbortSignal | null | undefined },
): Promise<void> {
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    if (optional && response.status === 404) return;
    throw new Error(`${url} answered ${response.status}`);
  }
  await mkdir(path.dirname(target), { recursive: true });
  await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(target));
  // A proxy may answer with a page of its own, which must not be kept as the model.
  if (target.endsWith('.json') && !isJson(await readFile(target, 'utf8'))) throw new Error(`${url} is not JSON`);
}

function isJson(text: string): boolean {
  return errorOf(() => JSON.parse(text)) === undefined;
}
