import type { BotFiles, Host } from 'waymark';

/** A new bot `support` in a new workspace `acme`. */
export async function newBot(host: Host): Promise<{ workspaceId: string; botId: string; files: BotFiles }> {
  const { id: workspaceId } = await host.createWorkspace('acme');
  const {
    bot: { id: botId },
  } = await (await host.workspace(workspaceId)).createBot({ name: 'support' });
  return { workspaceId, botId, files: await host.bot(botId) };
}
