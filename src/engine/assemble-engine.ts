import { WaymarkError } from '../domain/errors.js';
import type { Embedder, ModelCard, SimilarityScale } from '../embed/embedder.js';
import type { openEmbedder } from '../embed/open.js';
import { measureSimilarity } from '../embed/similarity-scale.js';
import type { Cutting } from '../formats/markdown/gather.js';
import { ParsePool } from '../indexing/parsing/parse-pool.js';
import type { BotRow, Bots } from '../sqlite/accounts/bots.js';
import type { Database } from '../sqlite/connection/database.js';
import { Embeddings } from '../sqlite/embeddings/embeddings.js';
import { Snapshots } from '../sqlite/embeddings/snapshots.js';
import { BotIndex } from '../sqlite/embeddings/vector-cache.js';
import { Files } from '../sqlite/files/files.js';
import { Passages } from '../sqlite/passages/passages.js';
import { Postings } from '../sqlite/postings/postings.js';
import { EmbeddedStore } from '../sqlite/sqlite-passage-store.js';
import type { IndexKind } from '../vectors/vector-index.js';
import { SearchEngine } from './engine.js';
import { type OnStage, timed } from './timed.js';

/** Tokens that a passage gathers; chosen on the development questions, see ARCHITECTURE.md. */
const PASSAGE_TOKENS = 192;
const FEWEST_PASSAGE_TOKENS = 16;

/** What an engine is made of that others may share with it. */
export interface EngineParts {
  /** Absolute path of the database. */
  readonly file: string;
  readonly database: Database;
  readonly bots: Bots;
  readonly opened: Awaited<ReturnType<typeof openEmbedder>>;
  /** Parses for several engines; one of its own unless given, and then all parts are its own. */
  readonly parser?: ParsePool;
  readonly options: AssembleOptions;
}

export interface AssembleOptions {
  readonly index?: IndexKind | undefined;
  readonly hnswFrom?: number | undefined;
  readonly passageTokens?: number | undefined;
  readonly embedBreadcrumb?: boolean | undefined;
  readonly onStage?: OnStage | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** The engine of a bot, out of its parts. Throws `MODEL_MISMATCH`, `INVALID_ARGUMENT`. */
export function assembleEngine(
  bot: BotRow,
  { file, database, bots, opened, parser, options }: EngineParts,
): SearchEngine {
  const { location } = opened;
  const { onStage } = options;
  const embedder = onStage ? timed(opened.embedder, onStage) : opened.embedder;
  const { card } = embedder;
  const cutting = cuttingOf(options, card);
  const number = bots.setModel(bot.number, { card, location });
  const { index, store: embedded } = assembleStore(bot, { database, model: { number, card }, options });
  const store = onStage ? timed(embedded, onStage) : embedded;
  const scale = similarityScale(embedder, { bots, model: number });
  const shared = parser !== undefined;
  const own = parser ?? parserOf(embedder, cutting);
  const warn = warnerOf(options);
  const parts = { file, database, bots, bot, index, store, embedder, scale, parser: own, cutting, shared, warn };
  return new SearchEngine(parts);
}

/** A bot's passages as one model embeds them. */
export function assembleStore(
  { number: bot }: BotRow,
  {
    database,
    model: { number, card },
    options,
  }: { database: Database; model: { number: number; card: ModelCard }; options: AssembleOptions },
): { index: BotIndex; store: EmbeddedStore; embeddings: Embeddings; passages: Passages } {
  const files = new Files(database, bot);
  const embeddings = new Embeddings(database, { bot, model: { number, fingerprint: card.fingerprint } });
  const postings = new Postings(database, bot);
  const passages = new Passages(database, { embeddings, postings, bot });
  const snapshots = new Snapshots(database, bot);
  const warn = warnerOf(options);
  const { index: kind = 'auto', hnswFrom } = options;
  const index = new BotIndex({ embeddings, snapshots, dimensions: card.dimensions, kind, hnswFrom, warn });
  const store = new EmbeddedStore({ database, files, passages, embeddings, postings, index });
  return { index, store, embeddings, passages };
}

/** Who is told what goes on working, but not as well as it could. */
export function warnerOf({ onWarning }: Pick<AssembleOptions, 'onWarning'>): (message: string) => void {
  return onWarning ?? ((message) => process.emitWarning(message, 'WaymarkWarning'));
}

export function parserOf({ counter, card: { maxTokens } }: Embedder, cutting: Cutting): ParsePool {
  return new ParsePool({ counter, cutting, maxTokens });
}

export function cuttingOf(options: AssembleOptions, { maxTokens }: ModelCard): Cutting {
  const { passageTokens = Math.min(PASSAGE_TOKENS, maxTokens), embedBreadcrumb = true } = options;
  if (Number.isInteger(passageTokens) && passageTokens >= FEWEST_PASSAGE_TOKENS && passageTokens <= maxTokens) {
    return { budget: passageTokens, embedBreadcrumb };
  }
  throw new WaymarkError(
    'INVALID_ARGUMENT',
    `passageTokens must be an integer from ${FEWEST_PASSAGE_TOKENS} to ${maxTokens}; it is ${passageTokens}.`,
  );
}

/** Of a model that does not say it on its card: measured once, and remembered in the database. */
function similarityScale(
  embedder: Embedder,
  { bots, model }: { bots: Bots; model: number },
): () => Promise<SimilarityScale> {
  let known = embedder.card.similarity;
  return async () => {
    known ??= bots.similarityOf(model);
    if (known) return known;
    known = await measureSimilarity(embedder);
    bots.setSimilarity(model, known);
    return known;
  };
}
