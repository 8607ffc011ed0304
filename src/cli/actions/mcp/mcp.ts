import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WaymarkError } from '../../../index.js';
import { SUCCESS } from '../../exit-codes.js';
import { printMessage } from '../../output/print.js';
import { type BotFilesOptions, engineOptions } from '../open.js';
import { listen } from '../serve/listen.js';
import { checkPort } from '../serve/serve-options.js';
import { stopSignal } from '../stop.js';
import { validateBudget } from './budget.js';
import { createMcpHttp } from './http.js';
import { Messages } from './messages.js';
import { ReopeningEngine } from './reopening-engine.js';
import { StdioServerTransport } from './sdk.js';
import { createMcpServer, type ServerOptions } from './server.js';

/** Only this machine may connect, as there are no tokens. */
const HOST = '127.0.0.1';

/** The default port of HTTP. */
const PORT = 7334;

export interface McpCommandOptions extends BotFilesOptions {
  readonly budget: number;
  readonly http?: true;
  readonly port?: number;
}

/** `waymark mcp`: runs until its input ends or its output fails, or over HTTP until SIGINT or SIGTERM. */
export async function mcp({ budget, http, port: given, ...options }: McpCommandOptions): Promise<number> {
  if (given !== undefined && !http) {
    const message = '--port is for HTTP only: pass --http as well, or leave out --port.';
    throw new WaymarkError('INVALID_ARGUMENT', message);
  }
  const port = given ?? PORT;
  checkPort(port);
  const engine = new ReopeningEngine({ ...engineOptions(options), create: false, processes: 1 });
  const serving = { engine, botPlace: options, budget: validateBudget(budget) };
  try {
    await (http ? overHttp(serving, port) : overStdio(serving));
    return SUCCESS;
  } finally {
    await engine.close();
  }
}

async function overStdio(options: ServerOptions): Promise<void> {
  const server = createMcpServer(options);
  const messages = new Messages((refusal) => process.stdout.write(`${JSON.stringify(refusal)}\n`));
  const ended = once(messages, 'end');
  const stopped = stopSignal();
  const unread = once(process.stdout, 'error');
  // Each answer listens while it waits for a slow reader: Node would warn of a leak above ten.
  process.stdout.setMaxListeners(0);
  await server.connect(new StdioServerTransport(messages));
  process.stdin.pipe(messages);
  for (const event of ['error', 'close']) process.stdin.once(event, () => messages.end());
  // What was asked before the end of the input is answered.
  await Promise.race([ended.then(() => options.engine.idle()), stopped, unread]);
  await server.close();
  process.stdin.unpipe(messages).pause();
}

async function overHttp(options: ServerOptions, port: number): Promise<void> {
  const http = createMcpHttp(options);
  const stop = stopSignal();
  try {
    await listen(() => once(http.listen(port, HOST), 'listening'), { host: HOST, port });
    printMessage(`Model Context Protocol at http://${HOST}:${(http.address() as AddressInfo).port}/mcp`);
    await stop;
  } finally {
    http.close();
    http.closeAllConnections();
  }
}
