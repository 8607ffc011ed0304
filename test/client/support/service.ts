import type { BotOperations, File, FileOperations, WorkspaceOperations } from 'waymark';
import { until } from '../../support/until.js';

/** What a suite of operations runs against: one workspace, which sees nothing of others. */
export interface Service {
  /** Ids of its bots, which are named one, two and three and were created in this order. */
  readonly botIds: readonly [one: string, two: string, three: string];
  readonly bots: BotOperations;
  readonly workspaces: WorkspaceOperations;
  readonly workspaceId: string;
  /** The files of a bot; for an id that no bot has, this or the first operation fails. */
  files(botId: string): Promise<FileOperations>;
}

export type OpenService = () => Promise<Service>;

/** The files of a new service's first bot. */
export async function filesOf(open: OpenService): Promise<FileOperations> {
  const { botIds, files } = await open();
  return files(botIds[0]);
}

/** A file once it is indexed, or indexing failed. */
export async function indexed(files: FileOperations, id: string): Promise<File> {
  await until(async () => !(await files.getFile({ id })).file.status.endsWith('pending'));
  return (await files.getFile({ id })).file;
}

/** Uploads texts by key and waits until they are indexed. */
export async function uploaded(
  files: FileOperations,
  texts: Readonly<Record<string, string>>,
): Promise<Record<string, File>> {
  const done: Record<string, File> = {};
  for (const [key, content] of Object.entries(texts)) await files.uploadFile({ key, content, index: true });
  for (const key of Object.keys(texts)) done[key] = await indexed(files, key);
  return done;
}
