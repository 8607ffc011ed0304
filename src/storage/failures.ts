import { hasCode, WaymarkError } from '../domain/errors.js';
import type { ModelIdentity } from './storage.js';

/** The error for a bot that another call or process has deleted. */
export function deletedBot(): WaymarkError {
  return new WaymarkError('BOT_MISSING', 'The bot was deleted: open another one.');
}

/** The error for a bot that was deleted between being found and being used. */
export function missingBot(id: string): WaymarkError {
  return new WaymarkError('BOT_MISSING', `The bot with the id ${id} was deleted: choose another bot.`);
}

/** The error for a workspace that was deleted between being found and being used. */
export function missingWorkspace(id: string): WaymarkError {
  return new WaymarkError(
    'WORKSPACE_MISSING',
    `The workspace with the id ${id} was deleted: choose another workspace.`,
  );
}

/** The error for the name of a bot that another bot of the workspace has. */
export function botExists(name: string): WaymarkError {
  return new WaymarkError('BOT_EXISTS', `A bot named "${name}" already exists: use it, or choose another name.`);
}

/** The error for a name that bots of several workspaces have. */
export function ambiguousBot(
  name: string,
  candidates: readonly { readonly id: string; readonly workspace: string | undefined }[],
): WaymarkError {
  const shown = candidates.map(({ id, workspace }) => `${id} (workspace ${workspace})`);
  const message = `${candidates.length} bots are named "${name}": pass the id of one: ${shown.join(', ')}.`;
  return new WaymarkError('BOT_AMBIGUOUS', message);
}

/** The error for the name of a workspace that another one has. */
export function workspaceExists(name: string): WaymarkError {
  return new WaymarkError(
    'WORKSPACE_EXISTS',
    `A workspace named "${name}" already exists: use it, or choose another name.`,
  );
}

/** The error for the name of a folder that another folder of the bot has. */
export function folderExists(name: string): WaymarkError {
  const message = `Another folder has the name "${name}" (waymark list): give this one another name.`;
  return new WaymarkError('FOLDER_EXISTS', message);
}

/** The error for a file that was deleted while it was worked on. */
export function missingFile(id: string): WaymarkError {
  const message = `The file with the id ${id} was deleted meanwhile: upload it again if you still need it.`;
  return new WaymarkError('FILE_MISSING', message);
}

/** The error for an upload address that accepts no upload. */
export function uploadMissing(): WaymarkError {
  const message =
    'This address accepts no upload: it is unknown, was used, is more than 15 minutes old, or its file was deleted. ' +
    'Upsert the file again.';
  return new WaymarkError('UPLOAD_MISSING', message);
}

/** The error for a staged content that was removed before it became that of a file. */
export function abandonedContent(): WaymarkError {
  const message = 'The content was removed, because nothing of it arrived for an hour: upload it again.';
  return new WaymarkError('UPLOAD_MISSING', message);
}

/** The error for a content that is gone while it is read. */
export function replacedContent(key: string): WaymarkError {
  const message = `The content of "${key}" was replaced or deleted while it was read: read it again.`;
  return new WaymarkError('FILE_MISSING', message);
}

/** The error for a re-embedding that was discarded, or replaced by one with another model. */
export function endedReembedding(other: string | null): WaymarkError {
  const reason = other === null ? 'it was discarded' : `another one, with ${other}, was started`;
  const message = `This re-embedding has ended because ${reason}: start it again if you still want it.`;
  return new WaymarkError('ABORTED', message);
}

/** The error for a model other than the one that a bot's files were embedded with. */
export function otherModel(
  bot: string,
  recorded: { readonly id: string; readonly fingerprint: string; readonly source: string | null },
  card: { readonly id: string; readonly fingerprint: string },
): WaymarkError {
  // The same name may stand for other weights, another tokenizer or another runtime; their fingerprints differ.
  const isSameName = recorded.id === card.id;
  const nameOf = (id: string, fingerprint: string) => (isSameName ? `${id} (${fingerprint.slice(0, 12)})` : id);
  const remedy = recorded.source === null ? 'open it with that embedder' : 'omit the model';
  const message =
    `The files of bot "${bot}" were embedded with ${nameOf(recorded.id, recorded.fingerprint)}, not with this ` +
    `${nameOf(card.id, card.fingerprint)}: ${remedy}, index into another bot, ` +
    'or re-embed them with waymark index --reembed.';
  return new WaymarkError('MODEL_MISMATCH', message);
}

/**
 * Throws `MODEL_INVALID` for a model with the fingerprint of a recorded one, but other dimensions: a caller's embedder
 * states both. Their embeddings would be mixed.
 */
export function assertSameDimensions(recorded: ModelIdentity | undefined, card: ModelIdentity): void {
  if (recorded?.fingerprint !== card.fingerprint || recorded.dimensions === card.dimensions) return;
  const message =
    `${card.id} has ${card.dimensions} dimensions and the fingerprint of ${recorded.id}, which has ` +
    `${recorded.dimensions}: give it a fingerprint of its own. If it is that model, run waymark doctor --repair.`;
  throw new WaymarkError('MODEL_INVALID', message);
}

/** The error for a model that another one has replaced since the files of a bot were opened with it. */
export function replacedModel(
  bot: string,
  { now, before }: { readonly now: string; readonly before: string },
): WaymarkError {
  const change = `were re-embedded with ${now} since it was opened with ${before}`;
  return new WaymarkError('MODEL_MISMATCH', `The files of bot "${bot}" ${change}: open it again.`);
}

/** Whether a later call may succeed: another process has been writing for too long, or cluster nodes are down. */
export function isTransient(error: unknown): boolean {
  return hasCode(error, 'BUSY', 'CLUSTER_UNAVAILABLE');
}
