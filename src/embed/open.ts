import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WaymarkError } from '../domain/errors.js';
import type { Embedder } from './embedder.js';
import { fetchModel } from './hub.js';
import { type CardFields, readModel } from './model.js';
import { TransformersEmbedder } from './transformers.js';

/** A model by its place: one of `folder` and `hub`. */
export interface ModelLocation {
  /** A folder in Transformers.js layout. */
  readonly folder?: string;
  /** An id such as `Xenova/all-MiniLM-L6-v2`: fetched once, then used from the cache. */
  readonly hub?: string;
  /** URL of another hub of the same layout. */
  readonly host?: string;
  /** Folder of fetched models; `~/.cache/waymark/models` unless given. */
  readonly cache?: string;
  /** What the model's own files do not say, or say wrongly. */
  readonly card?: Partial<CardFields>;
}

/** The bundled model's name, a folder, a hub id, a location, or an embedder of one's own. */
export type ModelSource = string | ModelLocation | Embedder;

/** An embedder with the location to open it by again; undefined if it was passed as an object. */
export interface OpenedEmbedder {
  readonly embedder: Embedder;
  readonly location: ModelLocation | undefined;
}

const BUNDLED = 'bge-small-en-v1.5';

/** Models lie beside `dist`, in the repository as in the installed package. */
const MODELS = fileURLToPath(new URL('../../models/', import.meta.url));

/**
 * The embedder of a model and, unless it was given as an object, the location to open it by again. Nothing is loaded
 * before the first text. Throws `MODEL_MISSING`, `MODEL_INVALID`.
 */
export async function openEmbedder(
  source: ModelSource = BUNDLED,
  options?: { readonly processes?: number | undefined },
): Promise<OpenedEmbedder> {
  if (typeof source === 'object' && 'embedPassages' in source) return { embedder: source, location: undefined };
  const location = typeof source === 'string' ? locate(source) : source;
  const { processes } = options ?? {};
  const model = await read(location);
  return { embedder: new TransformersEmbedder(model, processes === undefined ? {} : { processes }), location };
}

function locate(name: string): ModelLocation {
  if (statSync(name, { throwIfNoEntry: false })?.isDirectory()) return { folder: path.resolve(name) };
  if (name === BUNDLED) return { folder: BUNDLED };
  if (/^[\w.-]+\/[\w.-]+$/.test(name)) return { hub: name };
  throw new WaymarkError(
    'MODEL_MISSING',
    `No model "${name}": give ${BUNDLED}, the path of a model folder, or a hub id such as Xenova/all-MiniLM-L6-v2.`,
  );
}

async function read({ folder, hub, host, cache, card }: ModelLocation) {
  const given = card && { given: card };
  // By its name, not its path: the package may lie elsewhere when the index is opened again.
  if (folder === BUNDLED) return readModel(path.join(MODELS, BUNDLED), given);
  if (folder !== undefined) return readModel(folder, given);
  if (hub === undefined) {
    throw new WaymarkError('MODEL_MISSING', 'The model has no place: give it a folder or a hub id.');
  }
  const fetched = await fetchModel(hub, { ...(host !== undefined && { host }), ...(cache !== undefined && { cache }) });
  return readModel(fetched, { id: hub, ...given });
}
