import { Command } from 'commander';
import type { WaymarkErrorCode } from '../index.js';
import { exitCodeOfError } from './exit-code-of-error.js';
import { withOptionNames } from './output/option-names.js';
import { printMessage } from './output/print.js';

/** Runs a command and resolves to its exit code. */
export type Action<Arguments extends unknown[]> = (...given: Arguments) => Promise<number>;

/**
 * A handler for commander that loads the action only when its command is called, and gives it the settings of the
 * environment and the configuration file. It sets the process's exit code; an error of the action becomes one line on
 * stderr. Throws if the action cannot be loaded.
 */
export function run<Arguments extends unknown[]>(
  load: () => Promise<Action<Arguments>>,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    const action = await load();
    try {
      process.exitCode = await action(...(await configured(given)));
    } catch (error) {
      printMessage(describe(error, given.at(-1)));
      process.exitCode = exitCodeOfError(error);
    }
  };
}

/** What a person is told about an error of a command. */
function describe(error: unknown, command: unknown): string {
  const message = sentenceOf(error);
  const isOfField = (error as { readonly code?: WaymarkErrorCode }).code === 'INVALID_ARGUMENT';
  return isOfField && command instanceof Command ? withOptionNames(message, command) : message;
}

/** What to tell a person about an error: where it names an operation or a command, `or "waymark …",` the command. */
export function sentenceOf(error: unknown): string {
  return messageOf(error).replace(/\b[a-z]+[A-Z]\w+, or ("waymark [a-z ]+"),/, '$1');
}

/** The arguments of a handler, which end in the options and the command, with the settings among the options. */
async function configured<Arguments extends unknown[]>(given: Arguments): Promise<Arguments> {
  const command = given.at(-1);
  if (!(command instanceof Command) || !command.options.some(({ long }) => long === '--database')) return given;
  const { configure } = await import('./settings.js');
  await configure(command);
  return [...given.slice(0, -2), command.opts(), command] as Arguments;
}

/** What to tell a person about an error, in one sentence. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { syscall, code = '', path } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') return 'The working folder no longer exists: change to another one and try again.';
  if (path === undefined || !['EACCES', 'EPERM'].includes(code)) return error.message;
  return `${path} cannot be used (${code}): check its permissions and those of the folders above it.`;
}
