import type { FastifyInstance } from 'fastify';
import { type Host, WaymarkError } from '../index.js';
import { curlLine, devAccess } from './dev-access.js';
import { RESULTS } from './exit-code.js';
import { type IndexOptions, openHostFor } from './options.js';

export interface ServeOptions extends Omit<IndexOptions, 'bot' | 'json'> {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string;
  readonly dev?: true;
  readonly logQueries?: true;
  /** Megabytes. */
  readonly uploadLimit: number;
  /** Requests a minute. */
  readonly rateLimit: number;
}

/** `waymark serve`: until it is told to stop. */
export async function serveCommand(options: ServeOptions): Promise<number> {
  check(options);
  // Here and not on top: the other commands start without it.
  const { createServer } = await import('../http/create-server.js');
  const host = await openHostFor(options, { create: true });
  try {
    const app = await createServer(host, {
      host: options.host,
      publicUrl: options.publicUrl,
      logQueries: options.logQueries,
      uploadLimit: Math.floor(options.uploadLimit * 1024 * 1024),
      requestsPerMinute: options.rateLimit,
      log: process.stderr,
    });
    const stop = stopSignal();
    const listening = await listen(app, options);
    const url = (options.publicUrl ?? listening).replace(/\/+$/, '');
    process.stderr.write(`Waymark answers at ${url}; what it answers is told at ${url}/docs.\n`);
    if (!/^(localhost|127\..*|::1)$/.test(options.host) && !url.startsWith('https:')) {
      process.stderr.write(
        'Tokens and texts come here unencrypted: put a proxy with TLS before it, see --public-url.\n',
      );
    }
    await welcome(host, { ...options, url });
    await stop;
    await app.close();
    return RESULTS;
  } finally {
    await host.close();
  }
}

async function welcome(host: Host, { url, dev, database }: ServeOptions & { url: string }): Promise<void> {
  const where = database === undefined ? '' : ` --database '${database}'`;
  if (dev) {
    const access = await devAccess(host, database);
    const { workspaceId, botId, file } = access;
    // Not the token: what is written here may be kept as a log.
    process.stderr.write(
      `For clients: BP_API_URL=${url} BP_WORKSPACE_ID=${workspaceId} BP_BOT_ID=${botId} and BP_TOKEN from ${file}\n`,
    );
    const { files } = await (await host.bot(botId)).listFiles({ pageSize: 1 });
    if (files.length === 0) {
      const { bot } = await (await host.workspace(workspaceId)).getBot({ id: botId });
      const index = `waymark index <folder> --bot '${bot.name}'${where}`;
      process.stderr.write(`Nothing will be found before there are files. In another terminal: ${index}\n`);
    }
    process.stdout.write(`${curlLine(url, access)}\n`);
    return;
  }
  if ((await host.listTokens()).length > 0) return;
  const [workspace] = await host.listWorkspaces();
  const name = workspace?.name ?? 'acme';
  const make = workspace
    ? ''
    : `  waymark workspace create ${name}${where}\n  waymark bot create support --workspace ${name}${where}\n`;
  process.stderr.write(
    `Nobody may ask yet: there is no token. Make the first one in another terminal:\n${make}  waymark token create laptop --workspace '${name}' --role admin${where}\n`,
  );
}

function check({ port, publicUrl, uploadLimit, rateLimit }: ServeOptions): void {
  const fail = (message: string) => new WaymarkError('INVALID_ARGUMENT', message);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw fail(`--port must be an integer from 0 to 65535; it is ${port}.`);
  }
  if (!(uploadLimit > 0 && uploadLimit <= 256)) {
    throw fail(`--upload-limit must be a number of megabytes, above 0 and up to 256; it is ${uploadLimit}.`);
  }
  if (!Number.isInteger(rateLimit) || rateLimit < 1) {
    throw fail(`--rate-limit must be an integer from 1; it is ${rateLimit}.`);
  }
  if (publicUrl !== undefined && !/^https?:\/\/[^?#\s]+$/.test(publicUrl)) {
    throw fail(`--public-url must be an address such as https://search.example.com; it is "${publicUrl}".`);
  }
}

async function listen(app: FastifyInstance, { host, port }: Pick<ServeOptions, 'host' | 'port'>): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Error(`Port ${port} of ${host} is in use: stop what uses it, or choose another with --port.`);
    }
    if (code === 'EACCES') throw new Error(`Port ${port} needs more rights: choose one above 1023 with --port.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new Error(`This machine has no address ${host}: give one of its own with --host, such as 127.0.0.1.`);
    }
    throw error;
  }
}

/** The first SIGINT or SIGTERM; a second one ends the process as usual. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}
