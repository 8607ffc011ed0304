import { statSync } from 'node:fs';
import path from 'node:path';
import { shown, validate } from '../contract/validate.js';
import type { Abortable } from '../domain/abortable.js';
import { WaymarkError } from '../domain/errors.js';
import { z } from '../domain/zod.js';
import { CheckedEmbedder } from './checked-embedder.js';
import type { Embedder } from './embedder.js';
import { fetchModel } from './model/hub.js';
import { type CardFields, type Model, readModel } from './model/model.js';
import { TransformersEmbedder } from './transformers-embedder.js';

/** Where a model is: either `folder` or `hub`. */
export interface ModelLocation {
  /** A folder in Transformers.js layout. */
  readonly folder?: string;
  /** A hub id such as `Xenova/all-MiniLM-L6-v2`; fetched once, then used from the cache. */
  readonly hub?: string;
  /** URL of the hub. Defaults to https://huggingface.co. */
  readonly host?: string;
  /** Folder of fetched models. Defaults to `~/.cache/waymark/models`. */
  readonly cache?: string;
  /** Card fields that the model's own files omit or get wrong. */
  readonly card?: Partial<CardFields>;
}

/** A model: the bundled model's name, the path of a folder, a hub id, a location, or an embedder of your own. */
export type ModelSource = string | ModelLocation | Embedder;

/** An embedder with the location to open it by again; undefined if it was passed as an object. */
export interface OpenedEmbedder {
  readonly embedder: Embedder;
  readonly location: ModelLocation | undefined;
}

/** The name of the model that comes with Waymark. */
export const BUNDLED = 'waymark-docs-small-en';

/**
 * The default model of earlier releases, which no longer comes with Waymark. Databases name it by this folder; a user's
 * own folder is stored with its absolute path.
 */
const FORMER = 'bge-small-en-v1.5';

/**
 * Opens a model; `source` defaults to the bundled one. Returns its embedder and the location to reopen it from, which
 * is undefined for an embedder of your own. `processes` limits how many texts are embedded at once and defaults to the
 * number of cores. The model is not loaded before the first text. Throws `INVALID_ARGUMENT`, `MODEL_MISSING`,
 * `MODEL_INVALID`, and `ABORTED` if the signal fires while the model is fetched or read.
 */
export async function openEmbedder(
  source: ModelSource = BUNDLED,
  { processes, signal }: Abortable & { readonly processes?: number | undefined } = {},
): Promise<OpenedEmbedder> {
  if ((typeof source !== 'string' && typeof source !== 'object') || source === null) {
    const rule = 'a name, a folder, a hub id, a location or an embedder';
    throw new WaymarkError('INVALID_ARGUMENT', `The model must be ${rule}; it is ${shown(source)}.`);
  }
  if (source instanceof CheckedEmbedder) return { embedder: source, location: undefined };
  if (isEmbedder(source)) return { embedder: new CheckedEmbedder(source), location: undefined };
  const location = locationOf(source);
  const model = await readModelAt(location, signal);
  const embedder = new TransformersEmbedder(model, processes === undefined ? {} : { processes });
  return { embedder: new CheckedEmbedder(embedder), location };
}

/**
 * A source that names the same model after the working folder or the caller's object has changed. Accepts sources that
 * `openEmbedder` refuses, so that a missing database is reported first.
 */
export function absoluteSource(source: ModelSource): ModelSource {
  if (isEmbedder(source)) return source;
  try {
    return locationOf(source);
  } catch {
    return typeof source === 'string' && isPath(source) ? path.resolve(source) : source;
  }
}

/** Where the present default model is, if `location` is that of a former one. */
export function successorOf(location: ModelLocation): ModelLocation | undefined {
  return location.folder === FORMER ? { ...location, folder: BUNDLED } : undefined;
}

/** A hub id with an owner. Neither part begins with a dot: ./name is a path. */
const HUB_ID = /^\w[\w.-]*\/\w[\w.-]*$/;

/** A hub id with or without an owner. A name without one is a hub id only where the caller says so: in `hub`. */
const ANY_HUB_ID = /^\w[\w.-]*(?:\/\w[\w.-]*)?$/;

const schema = z.object({
  model: z
    .object({
      folder: z.string().min(1).optional().describe('the path of a folder'),
      hub: z.string().regex(ANY_HUB_ID).optional().describe('a hub id such as Xenova/all-MiniLM-L6-v2'),
      host: z.url().optional().describe('a URL'),
      cache: z.string().min(1).optional().describe('the path of a folder'),
      card: z
        .custom<Partial<CardFields>>((given) => typeof given === 'object')
        .optional()
        .describe('an object'),
    })
    .describe('a location'),
});

/** Whether a value is a location, as `openEmbedder` accepts it. */
export function isLocation(value: unknown): value is ModelLocation {
  return schema.safeParse({ model: value }).success;
}

/** Members of an embedder that no location has. */
const MEMBERS = ['counter', 'embedPassages', 'embedQuery', 'countTokens', 'close'];

/** Whether an embedder is meant, even if it lacks some members: the error then names what is missing. */
function isEmbedder(source: ModelSource): source is Embedder {
  return typeof source === 'object' && MEMBERS.some((member) => member in source);
}

/** The absolute location of a model. Throws `INVALID_ARGUMENT`, `MODEL_MISSING`. */
function locationOf(source: string | ModelLocation): ModelLocation {
  return typeof source === 'string' ? locationNamed(source) : absoluteLocation(source);
}

/** A location that names the same place from another working folder: databases record it. */
function absoluteLocation(given: ModelLocation): ModelLocation {
  const location = validate(schema, { model: given }).model as ModelLocation;
  const { folder, cache, card } = location;
  return {
    ...location,
    ...(folder !== undefined && folder !== BUNDLED && { folder: path.resolve(folder) }),
    ...(cache !== undefined && { cache: path.resolve(cache) }),
    ...(card && { card: { ...card } }),
  };
}

function locationNamed(name: string): ModelLocation {
  if (isFolder(name)) return { folder: path.resolve(name) };
  if (name === BUNDLED) return { folder: BUNDLED };
  if (HUB_ID.test(name) && !isFolder(path.dirname(name))) return { hub: name };
  throw new WaymarkError(
    'MODEL_MISSING',
    `${isPath(name) ? `There is no folder ${path.resolve(name)}` : `No model ${shown(name)}`}: ` +
      `pass ${BUNDLED}, the path of a model folder, or a hub id such as Xenova/all-MiniLM-L6-v2.`,
  );
}

function isPath(name: string): boolean {
  return name.includes('/') || name.includes(path.sep) || /^[.~]/.test(name);
}

function isFolder(name: string): boolean {
  try {
    return statSync(name).isDirectory();
  } catch {
    // A folder that cannot be read is not a model folder.
    return false;
  }
}

async function readModelAt(
  { folder, hub, host, cache, card }: ModelLocation,
  signal: AbortSignal | undefined,
): Promise<Model> {
  const options = { signal, ...(card && { given: card }) };
  // Stored by name, not by path: the package may have moved when the index is reopened.
  if (folder === BUNDLED) return readModel(path.join(import.meta.dirname, '../../models', BUNDLED), options);
  if (folder !== undefined) return readModel(folder, options);
  if (hub === undefined) {
    throw new WaymarkError('MODEL_MISSING', 'The model location is empty: specify a model folder or a hub id.');
  }
  const place = { ...(host !== undefined && { host }), ...(cache !== undefined && { cache }) };
  const fetched = await fetchModel(hub, { ...place, signal });
  return readModel(fetched, { id: hub, ...options });
}
