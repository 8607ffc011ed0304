import { createServer } from '../../../http/create-server.js';
import { SUCCESS } from '../../exit-codes.js';
import { printMessage } from '../../output/print.js';
import { printableJson } from '../../output/printable.js';
import type { StoragePlace } from '../../storage-place.js';
import { withHost } from '../open.js';
import { openInBrowser } from '../open-in-browser.js';
import { listen } from '../serve/listen.js';
import { checkPort } from '../serve/serve-options.js';
import { exitWithin, stopSignal } from '../stop.js';
import { PAGE_ID, RunningPage } from './running-page.js';

export interface UiCommandOptions extends StoragePlace {
  readonly port: number;
  readonly open: boolean;
}

/** The level of errors in the log of pino. */
const ERROR = 50;

/** Milliseconds in which running searches may finish when the page is stopped. */
const GRACE = 2000;

/** `waymark ui`: serves the search page until SIGINT or SIGTERM, unless it is served already. */
export async function ui({ port, open, ...place }: UiCommandOptions): Promise<number> {
  checkPort(port);
  const page = new RunningPage(place);
  const running = await page.find();
  if (running !== undefined) {
    printMessage('The search page of this database is open already:');
    await show(running, { open });
    return SUCCESS;
  }
  return withHost(place, { create: false, createdBy: 'index <folder>' }, async (host) => {
    const app = await createServer(host, { grace: GRACE, log: { write: writeFailure } });
    app.addHook('onSend', async (_, reply) => {
      reply.header(PAGE_ID, page.id);
    });
    try {
      const stop = stopSignal();
      const options = { host: '127.0.0.1', port };
      const address = await listen(() => app.listen(options), options);
      page.record(address);
      await show(address, { open });
      printMessage('Press Ctrl-C to stop.');
      await stop;
      exitWithin(2 * GRACE);
      page.forget();
      return SUCCESS;
    } finally {
      await app.close();
    }
  });
}

/** Writes a line of the log to stderr if it is of a failure: the page refers to it. */
function writeFailure(line: string): void {
  if (JSON.parse(line).level >= ERROR) process.stderr.write(printableJson(line));
}

async function show(address: string, { open }: Pick<UiCommandOptions, 'open'>): Promise<void> {
  process.stdout.write(`${address}\n`);
  if (open) await openInBrowser(address);
}
