import { isLocal } from '../../../http/access/loopback.js';
import { createServer } from '../../../http/create-server.js';
import type { Host } from '../../../index.js';
import { SUCCESS } from '../../exit-codes.js';
import { printMessage } from '../../output/print.js';
import { printableJson } from '../../output/printable.js';
import { shellWord } from '../../output/shell-word.js';
import { configurationOf } from '../../settings.js';
import { commandFor, type StoragePlace } from '../../storage-place.js';
import { withHost } from '../open.js';
import { exitWithin, stopSignal } from '../stop.js';
import { readableTokens } from '../token.js';
import { type Access, curlCommand, devAccess } from './dev-access.js';
import { listen } from './listen.js';
import { checkServeOptions, type ServeCommandOptions } from './serve-options.js';
import { watchBots } from './watch-bots.js';

/** Share of the grace in which running requests may finish; the rest is for closing the database. */
const REQUESTS_SHARE = 0.8;

/** `waymark serve`: runs until SIGINT or SIGTERM. */
export async function serve(options: ServeCommandOptions): Promise<number> {
  checkServeOptions(options);
  const grace = options.grace * 1000;
  return withHost(options, { create: true, createdBy: 'serve' }, async (host) => {
    const access = options.dev && (await devAccess(host, options));
    const app = await createServer(host, {
      publicUrl: options.publicUrl,
      corsOrigins: options.corsOrigin,
      page: options.page,
      logQueries: options.logQueries,
      uploadLimit: Math.floor(options.uploadLimit * 1024 * 1024),
      requestsPerMinute: options.rateLimit,
      grace: REQUESTS_SHARE * grace,
      log: { write: (line) => process.stderr.write(printableJson(line)) },
      // On a terminal, lines of JSON would bury the sentences below.
      logRequests: options.logQueries || !process.stderr.isTTY,
    });
    try {
      const stop = stopSignal();
      await warmUp(host);
      const listening = await listen(() => app.listen({ host: options.host, port: options.port }), options);
      const url = (options.publicUrl ?? listening).replace(/\/+$/, '');
      const hasPage = options.page && isLocal(app) && options.publicUrl === undefined;
      printMessage(`Listening on ${url}; API docs at ${url}/docs${hasPage ? `; search page at ${url}/` : ''}`);
      if (!isLocal(app) && !url.startsWith('https:')) {
        printMessage('Traffic is unencrypted. Put a TLS proxy in front, and pass its URL as --public-url.');
      }
      const { database, cluster } = options;
      const place = { database, cluster };
      if (access) await printDevAccess(host, { url, access, place });
      else await printFirstSteps(host, place);
      if (options.watch) await watchBots(host, await configurationOf(options.database));
      await stop;
      exitWithin(grace);
      return SUCCESS;
    } finally {
      // Also after a failure: a process that listens does not end.
      await app.close();
    }
  });
}

/** Loads the model. The service also runs without it: searches by words need none. */
async function warmUp(host: Host): Promise<void> {
  try {
    await host.warmUp();
  } catch (error) {
    printMessage(`The model could not be loaded, so only searches with mode=lexical work: ${(error as Error).message}`);
  }
}

async function printDevAccess(
  host: Host,
  { url, access, place }: { readonly url: string; readonly access: Access; readonly place: StoragePlace },
): Promise<void> {
  const { workspaceId, botId, file } = access;
  // The token itself stays out of stderr, which may be kept as a log.
  const settings = `BP_API_URL=${url} BP_WORKSPACE_ID=${workspaceId} BP_BOT_ID=${botId}`;
  printMessage(`Client settings: ${settings} and BP_TOKEN from ${file}`);
  const { files } = await (await host.bot(botId)).listFiles({ pageSize: 1 });
  if (files.length === 0) {
    const { bot } = await (await host.workspace(workspaceId)).getBot({ id: botId });
    const index = commandFor({ ...place, bot: bot.name }, 'index <folder>');
    printMessage(`The bot has no files yet. Index some in another terminal: ${index}`);
  }
  process.stdout.write(`${curlCommand(url, access)}\n`);
}

/** Whether there is a token. A damaged one keeps none of the others from being used. */
async function hasTokens(host: Host): Promise<boolean> {
  const { tokens, areWhole } = await readableTokens(host);
  return tokens.length > 0 || !areWhole;
}

/** Without a token nobody can call the service: says how to create one. */
async function printFirstSteps(host: Host, place: StoragePlace): Promise<void> {
  if (await hasTokens(host)) return;
  const [workspace] = await host.listWorkspaces();
  const name = workspace?.name ?? 'acme';
  const commands = [
    ...(workspace ? [] : [`workspace create ${name}`, `bot create support --workspace ${name}`]),
    `token create laptop --workspace ${shellWord(name)} --role admin`,
  ];
  printMessage('No access tokens yet. Create one in another terminal:');
  for (const command of commands) printMessage(`  ${commandFor(place, command)}`);
}
