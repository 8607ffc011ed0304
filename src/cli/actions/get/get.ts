import { SUCCESS } from '../../exit-codes.js';
import { printJson } from '../../output/print.js';
import { printableText } from '../../output/printable.js';
import { type BotFilesOptions, withEngine } from '../open.js';
import { excerptOf } from './excerpt.js';

export interface GetCommandOptions extends BotFilesOptions {
  readonly contextDepth?: number;
}

/** `waymark get <path[:lines]>` */
export function get(place: string, { contextDepth, ...options }: GetCommandOptions): Promise<number> {
  return withEngine(options, { create: false, processes: 1 }, async (engine) => {
    const excerpt = await excerptOf(place, { engine, contextDepth });
    if (options.json) printJson(excerpt, 2);
    else process.stdout.write(printableText(excerpt.text).replace(/(?<=[^\r\n])$/, '\n'));
    return SUCCESS;
  });
}
