import { hasCode, WaymarkError } from '../domain/errors.js';
import type { SimilarityScale } from '../domain/similarity-scale.js';
import type { ModelSource } from '../embed/open-embedder.js';
import { closingAll } from '../engine/close-all.js';
import { locationOf } from '../engine/models/recorded-model.js';
import type { BotRecord } from '../storage/accounts.js';
import type { FileCopies } from '../storage/copies.js';
import type { PassageStore } from '../storage/passage-store.js';
import type { ModelRecord } from '../storage/storage.js';
import { type AnswerComparison, compareAnswers } from './compare-answers.js';
import { compareFiles, countedFiles } from './compare-files.js';
import { copyBotRecords } from './copy-accounts.js';
import { type CopiedFiles, copyFiles } from './copy-files.js';
import { hasFiles } from './has-files.js';
import { Recutter } from './recutter.js';
import type { Route } from './route.js';

/** Progress of a copy. */
export interface CopyProgress {
  /** The name of the bot. */
  readonly bot: string;
  /** Files are copied first, then the answers of both are compared. */
  readonly phase: 'copy' | 'compare';
  /** Files that were copied, or questions that were asked. */
  readonly done: number;
  /** Files to be copied, or questions to be asked. */
  readonly total: number;
  /** Files that were there already, in the same state. */
  readonly unchanged: number;
}

/** What became of a bot. */
export interface CopiedBot extends CopiedFiles {
  readonly id: string;
  readonly name: string;
  /** Passages of its files in the target. */
  readonly passages: number;
  /** Missing if no file is searched, if one side has files that the other lacks, or if one side is damaged. */
  readonly comparison?: AnswerComparison;
  /** What could not be copied, or differs, one sentence each. */
  readonly notes: readonly string[];
  /** Whether the target has the same files and passages, and gives the same answers where both were asked. */
  readonly isAlike: boolean;
}

/** How a bot is copied. */
export interface CopyBotOptions {
  readonly model: ModelSource | undefined;
  readonly isExact: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (progress: CopyProgress) => void;
}

/** Minimum overlap of the answers of source and target. */
const MIN_OVERLAP = 0.98;

/** The scale of a model that was never measured, for both sides of the comparison. */
const UNMEASURED: SimilarityScale = { unrelated: 0, related: 1 };

/** The parts for copying a bot's files. */
interface Parts {
  readonly source: FileCopies;
  readonly target: FileCopies;
  readonly stores: { readonly from: PassageStore; readonly to: PassageStore } | undefined;
  readonly recutter: () => Promise<Recutter>;
}

/** How the parts are opened. */
interface PartsOptions extends Pick<Parameters<typeof Recutter.open>[1], 'given' | 'signal'> {
  readonly model: ModelRecord | undefined;
  /** Gets what closes each part. */
  readonly closers: (() => unknown)[];
}

/** Copies everything of a bot whose record the target has, and compares both. Throws `MODEL_MISMATCH`, `ABORTED`. */
export async function copyBot(bot: BotRecord, route: Route, options: CopyBotOptions): Promise<CopiedBot> {
  return closingAll((closers) => copyWith(closers, bot, { route, ...options }));
}

/** As `copyBot`. What it opens has its closer added to `closers`, whether the copy succeeds or not. */
async function copyWith(
  closers: (() => unknown)[],
  bot: BotRecord,
  { route, ...options }: CopyBotOptions & { readonly route: Route },
): Promise<CopiedBot> {
  const { id, name } = bot;
  const { from, to } = route;
  const { isExact, signal } = options;
  const model = await from.models.ofBot(id);
  if (model) await assignModel(bot, route, model);
  await copyBotRecords(route, { botId: id, isExact });
  const parts = await partsOf(bot, route, { model, given: options.model, signal, closers });
  const { source, target, stores } = parts;
  let unchanged = 0;
  const files = await copyFiles(
    { ...parts, route, botId: id, records: await from.fileRecords(id) },
    {
      // Two more files are cut while others are put.
      concurrency: (stores?.to.putsAtOnce ?? 1) + 2,
      isExact,
      signal,
      onProgress: (progress) => {
        unchanged = progress.unchanged;
        options.onProgress({ bot: name, phase: 'copy', ...progress });
      },
    },
  );
  const damages: string[] = [];
  if (stores) {
    const late = copyLateEmbeddings(stores.to, source);
    await unlessDamaged(late, (reason) => damages.push(`Embeddings of pending passages were not copied: ${reason}`));
  }
  await stores?.to.flush({ signal });
  await to.sync();
  const difference = await compareFiles(source, target);
  // Other files on one side change the answers.
  const isAsked = files.left === 0 && difference.missing === 0 && difference.searched.length > 0;
  const comparison =
    stores && model && isAsked
      ? await unlessDamaged(
          compareAnswers(stores, {
            files: difference.searched,
            signal,
            scale:
              (await from.models.similarity(model.fingerprint)) ?? (await parts.recutter()).similarity ?? UNMEASURED,
            onProgress: (progress) => options.onProgress({ bot: name, phase: 'compare', ...progress, unchanged }),
          }),
          (reason) => damages.push(`Answers were not compared: ${reason}`),
        )
      : undefined;
  const notes = [
    ...(await notesOf(bot, route, { left: files.left, awaited: difference.awaited })),
    ...difference.notes,
    ...damages,
  ];
  const answersAlike = comparison === undefined || comparison.overlap >= MIN_OVERLAP;
  return {
    id,
    name,
    ...files,
    passages: difference.passages,
    notes,
    ...(comparison && { comparison }),
    isAlike: files.failed.length === 0 && damages.length === 0 && difference.isAlike && answersAlike,
  };
}

/** What `work` returns; undefined if it reads something that is damaged: other files and bots are still copied. */
async function unlessDamaged<T>(work: Promise<T>, onDamage: (reason: string) => void): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!hasCode(error, 'DATABASE_DAMAGED')) throw error;
    onDamage(error.message);
    return undefined;
  }
}

/** Records the model of a bot's files in the target. Throws `MODEL_MISMATCH` if its files there have another one. */
async function assignModel({ id, name: bot }: BotRecord, { from, to }: Route, model: ModelRecord): Promise<void> {
  const { fingerprint } = model;
  const known = await to.models.ofBot(id);
  if (known && known.fingerprint !== fingerprint && (await hasFiles(to, { botId: id, model: known }))) {
    const message =
      `The files of bot "${bot}" have embeddings of ${model.id} in ${from.location}, and of ${known.id} in ` +
      `${to.location}: delete the bot there, then copy again.`;
    throw new WaymarkError('MODEL_MISMATCH', message);
  }
  await to.models.assign(id, { card: model, location: locationOf(model) });
  const similarity = await from.models.similarity(fingerprint);
  if (similarity) await to.models.setSimilarity(fingerprint, similarity);
}

async function partsOf(bot: BotRecord, { from, to }: Route, { model, closers, ...rest }: PartsOptions): Promise<Parts> {
  const closedLater = async <Part extends { close(): Promise<void> }>(opening: Promise<Part>): Promise<Part> => {
    const part = await opening;
    closers.push(() => part.close());
    return part;
  };
  const source = await closedLater(from.copies.files(bot.id, model));
  // Files that were not indexed in the source may have been in the target: their passages go with them.
  const target = await closedLater(to.copies.files(bot.id, model ?? (await to.models.ofBot(bot.id))));
  const stores = model && {
    from: await closedLater(from.passages(bot.id, model)),
    to: await closedLater(to.passages(bot.id, model)),
  };
  let recutter: Promise<Recutter> | undefined;
  // One that is still being opened is awaited; why it could not be opened is reported where it is needed.
  closers.push(async () => (await recutter?.catch(() => undefined))?.close());
  return {
    source,
    target,
    stores,
    recutter() {
      if (!model) {
        const message = `The first files of bot "${bot.name}" were indexed while it was copied: copy again.`;
        throw new WaymarkError('DATABASE_CONFLICT', message);
      }
      recutter ??= Recutter.open(model, { bot: bot.name, ...rest });
      return recutter;
    },
  };
}

/** Pending texts read at a time. */
const PAGE = 500;

/** Copies embeddings that were pending when their files were copied, and that the source has computed since. */
async function copyLateEmbeddings(store: PassageStore, source: FileCopies): Promise<void> {
  for (let after = 0; ; ) {
    const texts = await store.pending({ after, limit: PAGE });
    const stored = await source.embeddings(texts.map(({ text }) => text));
    const known = texts.flatMap(({ id, text }) => {
      const embedding = stored.get(text);
      return embedding ? [{ id, embedding }] : [];
    });
    if (known.length > 0) await store.putEmbeddings(known);
    after = texts.at(-1)?.id ?? after;
    if (texts.length < PAGE) return;
  }
}

async function notesOf(
  { id, name }: BotRecord,
  { from }: Route,
  { left, awaited }: { readonly left: number; readonly awaited: number },
): Promise<string[]> {
  const unfinished = await from.reembeddings.unfinished(id);
  const waiting = countedFiles(awaited, 'waits for its', 'wait for their');
  const others = countedFiles(left, 'is', 'are');
  return [
    ...(unfinished ? [`The unfinished re-embedding of bot "${name}" with ${unfinished.model} was not copied.`] : []),
    ...(awaited > 0 ? [`${waiting} upload: ask for a new address for it in the target.`] : []),
    ...(left > 0
      ? [`${others} only in the target, so that answers were not compared: --delete removes such files.`]
      : []),
  ];
}
