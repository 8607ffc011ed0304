import { WaymarkError } from '../domain/errors.js';
import type { Embedder } from '../embed/embedder.js';
import type { Cutting } from '../formats/markdown/gather.js';
import type { FileToStage, Reembedding } from '../sqlite/reembedding/reembedding.js';
import type { PassageToPut } from '../storage/passage-store.js';
import { checkEmbedding } from '../vectors/vector-index.js';
import { embedPending, type PendingTexts } from './embed-pending.js';
import { forEachConcurrent } from './for-each-concurrent.js';
import type { ParsePool } from './parsing/parse-pool.js';
import { contentTypeOf, cutText, recut } from './prepare-file.js';
import { type IndexProgress, ProgressMeter } from './progress.js';
import { GIVEN, positioned } from './set-passages.js';

interface Work {
  readonly embedder: Embedder;
  readonly parser: ParsePool;
  readonly cutting: Cutting;
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Cuts and embeds a bot's stored texts with another model, and switches over when all is there. What others change
 * meanwhile is done in another round. Returns how many texts were embedded. Throws `TEXT_TOO_LONG`, `ABORTED`.
 */
export async function reembedFiles(reembedding: Reembedding, work: Work): Promise<number> {
  const { embedder, parser, signal } = work;
  // A caller's passage that the model cannot read is told of before anything is done.
  for (const file of unstaged(reembedding, GIVEN)) await cutGiven(file, reembedding, embedder);
  reembedding.begin();
  const meter = new ProgressMeter(work.onProgress);
  let embedded = 0;
  const store: PendingTexts = {
    pending: async (options) => reembedding.pending(options),
    countPending: async () => reembedding.countPending(),
    putEmbeddings: async (embeddings) => {
      for (const { embedding } of embeddings) checkEmbedding(embedding, embedder.card.dimensions);
      reembedding.putEmbeddings(embeddings);
      embedded += embeddings.length;
    },
  };
  do {
    meter.start('read', reembedding.countUnstaged());
    await forEachConcurrent(unstaged(reembedding), {
      concurrency: parser.size + 1,
      signal,
      work: async (file) => {
        reembedding.stage(file, await cut(file, reembedding, work));
        meter.advance(1);
      },
    });
    await embedPending({ store, embedder, meter, signal });
  } while (!reembedding.switchOver());
  return embedded;
}

function* unstaged(reembedding: Reembedding, pipeline?: string): Generator<FileToStage> {
  for (let after = 0; ; ) {
    const file = reembedding.nextUnstaged({ after, pipeline });
    if (!file) return;
    yield file;
    after = file.number;
  }
}

async function cut(
  file: FileToStage,
  reembedding: Reembedding,
  { embedder, parser, cutting }: Work,
): Promise<{ pipeline: string; warnings: readonly string[]; passages: readonly PassageToPut[] }> {
  if (file.pipeline === GIVEN) {
    return { pipeline: GIVEN, warnings: [], passages: await cutGiven(file, reembedding, embedder) };
  }
  const { pipeline, contentType = contentTypeOf(file.key) } = recut(file.pipeline, cutting);
  try {
    const { warnings, passages } = await cutText(file.text, { contentType, parser });
    return { pipeline, warnings, passages };
  } catch (cause) {
    if (!(cause instanceof WaymarkError) || cause.code !== 'INVALID_ARGUMENT') throw cause;
    const message = `"${file.key}" could not be cut for ${embedder.card.id}, and all files are as they were: ${cause.message}`;
    throw new WaymarkError('INVALID_ARGUMENT', message, { cause });
  }
}

/** The passages that a caller cut, as they are. */
async function cutGiven(file: FileToStage, reembedding: Reembedding, embedder: Embedder): Promise<PassageToPut[]> {
  const { id, maxTokens, passagePrefix } = embedder.card;
  const given = reembedding.passagesOf(file).map(({ start, end, subtype, page }) => ({
    content: file.text.slice(start, end),
    subtype,
    page: page ?? undefined,
  }));
  for (const [i, { content }] of given.entries()) {
    const tokens = await embedder.countTokens(passagePrefix + content);
    if (tokens <= maxTokens) continue;
    throw new WaymarkError(
      'TEXT_TOO_LONG',
      `Passage ${i + 1} of "${file.key}", which was set as it is, has ${tokens} tokens and ${id} reads ${maxTokens}: set it in shorter ones, or choose another model.`,
    );
  }
  return positioned(given);
}
