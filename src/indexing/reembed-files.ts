import { assertNotAborted, unlessAborted } from '../domain/abortable.js';
import { hasCode, WaymarkError } from '../domain/errors.js';
import type { Embedder } from '../embed/embedder.js';
import { formats } from '../formats/formats.js';
import type { CuttingOptions } from '../formats/parser.js';
import type { PassageToPut, PendingTexts } from '../storage/passage-store.js';
import type { FileToStage, StagedFiles } from '../storage/staged-files.js';
import { embedPending } from './embedding/embed-pending.js';
import { forEachConcurrent } from './for-each-concurrent.js';
import type { Parser } from './indexing.js';
import { GIVEN, unfinished, withCutting } from './pipeline.js';
import { type IndexProgress, ProgressMeter } from './progress.js';
import { givenPassages, positioned } from './set-passages.js';

interface Reembedding {
  readonly embedder: Embedder;
  readonly parser: Parser;
  readonly cutting: CuttingOptions;
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Cuts and embeds the stored texts of a bot for another model, and switches to it when everything is done. Files that
 * other processes change meanwhile are cut and embedded in another round. Returns the number of embedded texts. Throws
 * `TEXT_TOO_LONG`, `ABORTED`.
 */
export async function reembedFiles(staged: StagedFiles, reembedding: Reembedding): Promise<number> {
  const { embedder, parser, signal } = reembedding;
  // Report a caller's passage that the model cannot read before doing anything.
  for await (const file of unstaged(staged, GIVEN)) {
    assertNotAborted(signal);
    await cutGiven(file, staged, reembedding);
  }
  assertNotAborted(signal);
  await staged.begin();
  const meter = new ProgressMeter(reembedding.onProgress);
  let embedded = 0;
  const store: PendingTexts = {
    pending: (page) => staged.pending(page),
    countPending: () => staged.countPending(),
    async putEmbeddings(embeddings) {
      await staged.putEmbeddings(embeddings);
      embedded += embeddings.length;
    },
  };
  do {
    meter.start('read', await staged.countUnstaged());
    await forEachConcurrent(unstaged(staged), {
      concurrency: parser.size + 1,
      signal,
      work: async (file) => {
        await staged.stage(file, await cut(file, staged, reembedding));
        meter.advance(1);
      },
    });
    await embedPending({ store, embedder, meter, signal });
  } while (!(await staged.switchOver()));
  return embedded;
}

async function* unstaged(staged: StagedFiles, pipeline?: string): AsyncGenerator<FileToStage> {
  for (let after = 0; ; ) {
    const file = await staged.nextUnstaged({ after, pipeline });
    if (!file) return;
    yield file;
    after = file.number;
  }
}

async function cut(
  file: FileToStage,
  staged: StagedFiles,
  reembedding: Reembedding,
): Promise<{ pipeline: string; warnings: readonly string[]; passages: readonly PassageToPut[] }> {
  if (file.pipeline === GIVEN) {
    return { pipeline: GIVEN, warnings: [], passages: await cutGiven(file, staged, reembedding) };
  }
  const { embedder, parser, cutting, signal } = reembedding;
  const { pipeline, contentType } = withCutting(file, cutting);
  try {
    const format = formats.ofText({ key: file.key, contentType });
    const parsed = await unlessAborted(() => parser.parse(file.text, { key: file.key, format }), signal);
    return { ...parsed, pipeline: parsed.isUnfinished ? unfinished(pipeline) : pipeline };
  } catch (cause) {
    if (!hasCode(cause, 'INVALID_ARGUMENT')) throw cause;
    const message = `"${file.key}" could not be cut for ${embedder.card.id}, and no file was changed: ${cause.message}`;
    throw new WaymarkError('INVALID_ARGUMENT', message, { cause });
  }
}

/** The passages that a caller cut, unchanged. Throws `TEXT_TOO_LONG`. */
async function cutGiven(
  file: FileToStage,
  staged: StagedFiles,
  { embedder, parser, signal }: Reembedding,
): Promise<PassageToPut[]> {
  const { id, maxTokens } = embedder.card;
  const given = givenPassages(file.text, await staged.givenCuts(file));
  const refusal = ({ number, tokens }: { readonly number: number; readonly tokens: number }) =>
    new WaymarkError(
      'TEXT_TOO_LONG',
      `Passage ${number} of "${file.key}" was cut by the program that stored it. It has ${tokens} tokens, and ${id} ` +
        `reads ${maxTokens}: store shorter passages, remove the file, or choose another model.`,
    );
  return positioned(given, { embedder, parser, signal, refusal });
}
