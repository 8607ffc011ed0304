import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Runs `use` with the path of a new folder that nobody else reads, and removes the folder afterwards, always. */
export async function withPrivateFolder<T>(parent: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(parent, 'waymark-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
