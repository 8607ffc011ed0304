import type { CopiedModel } from '../storage/copies.js';
import type { Storage } from '../storage/storage.js';

/** Whether a storage has files of a bot. `model` is that of the bot there, if it is known. */
export async function hasFiles(
  storage: Storage,
  { botId, model }: { readonly botId: string; readonly model: CopiedModel | undefined },
): Promise<boolean> {
  const files = await storage.copies.files(botId, model);
  try {
    for await (const _ of files.states()) return true;
    return false;
  } finally {
    await files.close();
  }
}
