import { SUCCESS } from '../exit-codes.js';
import { print } from '../output/print.js';
import { describeStatus } from '../output/status.js';
import { type BotFilesOptions, withEngine } from './open.js';

/** `waymark status` */
export function status(options: BotFilesOptions): Promise<number> {
  return withEngine(options, { create: false }, async (engine) => {
    const current = await engine.status();
    print(current, { json: options.json, lines: describeStatus(current, options) });
    return SUCCESS;
  });
}
