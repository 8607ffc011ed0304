import path from 'node:path';
import { signalSchema } from '../contract/abortable.js';
import { passageTokensSchema } from '../contract/engine/passage-tokens.js';
import { callbackSchema } from '../contract/fields/query.js';
import { plainOptions, shown, validate } from '../contract/validate.js';
import { type Abortable, assertNotAborted } from '../domain/abortable.js';
import { WaymarkError } from '../domain/errors.js';
import { z } from '../domain/zod.js';
import { absoluteSource, type ModelSource } from '../embed/open-embedder.js';
import { assertUnbundled } from '../embed/unbundled.js';
import { observer } from '../indexing/observer.js';
import type { OnStage } from '../storage/search-stage.js';
import type { IndexKind } from '../vectors/vector-index.js';
import type { ClusterOptions } from '../weaviate/connection/cluster-options.js';

/** How to open an index. */
export interface EngineOptions extends Abortable {
  /** Path of the SQLite file. Pass it, or `cluster`. */
  readonly database?: string | undefined;
  /** A Weaviate cluster that holds everything instead of a file. Needs the package weaviate-client. */
  readonly cluster?: ClusterOptions | undefined;
  /** Name or id of a bot. Defaults to `default`, which is created when needed. */
  readonly bot?: string | undefined;
  /**
   * Defaults to the model that the bot's files were embedded with, or to the bundled waymark-docs-small-en. An embedder
   * that is passed as an object is closed with the engine.
   */
  readonly model?: ModelSource | undefined;
  /** Which vector index serves. Defaults to `auto`: exact up to 1,500,000 passages, HNSW above. */
  readonly index?: IndexKind | undefined;
  /**
   * Passages above which `auto` uses HNSW.
   * @internal
   */
  readonly hnswFrom?: number | undefined;
  /**
   * Milliseconds for which a write waits while another process writes. Defaults to 10,000.
   * @internal
   */
  readonly busyTimeout?: number | undefined;
  /** Whether to create a missing database. Defaults to true. */
  readonly create?: boolean | undefined;
  /**
   * Maximum tokens of text in a passage, from 16 to what the model reads. Defaults to 192, or to what the model reads
   * if that is less. Pass it whenever the index is opened for indexing: files that were cut otherwise are cut again.
   */
  readonly passageTokens?: number | undefined;
  /**
   * Whether the headings above a passage are embedded with it. Defaults to true. Like `passageTokens`, pass it whenever
   * the index is opened for indexing.
   */
  readonly embedBreadcrumb?: boolean | undefined;
  /** Number of texts embedded concurrently, each in a process of its own. Defaults to the number of cores. */
  readonly processes?: number | undefined;
  /** Called with the time that each stage of a search takes. */
  readonly onStage?: OnStage | undefined;
  /** Called with a message when something still works, but worse than it should. Defaults to `process.emitWarning`. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

const clusterSchema = z.object({
  hosts: z.array(z.string()).min(1).describe('a list of addresses such as http://10.0.0.1:8080'),
  apiKey: z.string().min(1).optional().describe('a non-empty text'),
  replication: z.int().min(1).max(100).optional().describe('an integer from 1 to 100'),
  consistency: z.enum(['ONE', 'QUORUM', 'ALL']).optional().describe('ONE, QUORUM or ALL'),
  base: z.string().min(1).optional().describe('the path of a folder'),
});

const schema = z.object({
  database: z
    .string()
    .refine((file) => file !== '' && !file.includes('\0'))
    .optional()
    .describe('the path of a file'),
  cluster: clusterSchema.optional().describe('an object with the hosts of a cluster'),
  bot: z.string().optional().describe('the name or id of a bot'),
  model: z
    .custom<ModelSource>((given) => typeof given === 'string' || (typeof given === 'object' && given !== null))
    .optional()
    .describe('a name, a folder, a hub id, a location or an embedder'),
  index: z.enum(['auto', 'exact', 'hnsw']).optional().describe('auto, exact or hnsw'),
  create: z.boolean().optional().describe('true or false'),
  passageTokens: passageTokensSchema,
  embedBreadcrumb: z.boolean().optional().describe('true or false'),
  processes: z.int().min(1).optional().describe('an integer of at least 1'),
  onStage: callbackSchema,
  onWarning: callbackSchema,
  onProgress: callbackSchema,
  signal: signalSchema,
  repair: z.boolean().optional().describe('true or false'),
});

/**
 * Checks the options of a call that opens a database, and copies them with absolute paths of the database, the model
 * and the base of a cluster: the caller may change its object or the working folder while the call runs. Throws
 * `INVALID_ARGUMENT`, `ABORTED`, `PACKAGE_BUNDLED`.
 */
export function validateOpening<Options extends Pick<EngineOptions, 'database' | 'cluster' | 'model'>>(
  options: Options,
): Options {
  assertUnbundled();
  const { database, cluster, model, index, signal } = validate(schema, plainOptions(options));
  if ((database === undefined) === (cluster === undefined)) {
    const given = database === undefined ? 'neither' : 'both';
    throw new WaymarkError('INVALID_ARGUMENT', `Pass database, the path of a file, or cluster; ${given} was passed.`);
  }
  if (database !== undefined) assertPath(database);
  if (cluster && index !== undefined) {
    throw new WaymarkError('INVALID_ARGUMENT', 'A cluster has its own vector index: leave index out.');
  }
  assertNotAborted(signal);
  return {
    ...options,
    database: database && path.resolve(database),
    cluster: cluster && { ...cluster, base: path.resolve(cluster.base ?? '.') },
    model: model && absoluteSource(model),
  };
}

/** Refuses names that other libraries take for an in-memory database or a URL: here they would name a file. */
function assertPath(database: string): void {
  if (database !== ':memory:' && !/^file:/i.test(database)) return;
  const message =
    `A database is a file, and ${shown(database)} is not a path: ` +
    'pass the path of a file, in a temporary folder if nothing is to be kept.';
  throw new WaymarkError('INVALID_ARGUMENT', message);
}

/** The warning callback, or its default. */
export function warnerOf({ onWarning }: Pick<EngineOptions, 'onWarning'>): (message: string) => void {
  return onWarning ? observer('onWarning', onWarning) : (message) => process.emitWarning(message, 'WaymarkWarning');
}

/** The callback for the stages of searches. */
export function stageObserverOf({ onStage }: Pick<EngineOptions, 'onStage'>): OnStage | undefined {
  return onStage && observer('onStage', onStage);
}
