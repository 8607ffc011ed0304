#!/usr/bin/env node
import { FAILURE, SUCCESS, USAGE } from './exit-codes.js';
import { endWithoutOutput } from './output/streams.js';

endWithoutOutput();
try {
  // Not above: a module that cannot be opened, as with too few file descriptors, is an error to report here.
  const { createProgram } = await import('./program.js');
  await createProgram().parseAsync();
} catch (error) {
  const { code = '', exitCode, message } = error as Error & { code?: string; exitCode?: number };
  if (code.startsWith('commander.')) {
    // commander has already printed its message.
    process.exitCode = exitCode === 0 ? SUCCESS : USAGE;
  } else {
    // Node reports a package as missing, too, if there are too few file descriptors to read its package.json.
    const isMissing = code === 'ERR_MODULE_NOT_FOUND';
    const remedy = isMissing ? ': install waymark again, or allow more open files with ulimit -n' : '';
    process.stderr.write(`waymark could not be started: ${message}${remedy}\n`);
    process.exitCode = FAILURE;
  }
}
