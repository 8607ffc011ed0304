import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import path from 'node:path';
import { type AddFolderOptions, declaredFolderSchema } from '../contract/engine/index-folder.js';
import { passageTokensSchema } from '../contract/engine/passage-tokens.js';
import { nameSchema } from '../contract/names.js';
import { validate } from '../contract/validate.js';
import { CHECK_PERMISSIONS, isDenied, WaymarkError } from '../domain/errors.js';
import { z } from '../domain/zod.js';
import { type JsonDocument, jsonDocumentOf } from '../formats/json-document.js';

/** A folder of a configuration file, as `addFolder` takes it. */
export interface DeclaredFolder extends AddFolderOptions {
  /** Absolute path. */
  readonly folder: string;
  readonly name: string;
}

/** The settings of a configuration file. Those that it leaves out are undefined. */
export interface Configuration {
  /** Name or id of the bot. */
  readonly bot?: string | undefined;
  /** A model folder, absolute, or a hub id. */
  readonly model?: string | undefined;
  /** See `EngineOptions`. */
  readonly passageTokens?: number | undefined;
  /** Whether the command line brings folders up to date before a search. */
  readonly refresh?: boolean | undefined;
  /** Addresses of the nodes of a cluster, separated by commas. */
  readonly cluster?: string | undefined;
  /** In the order of the file. */
  readonly folders: readonly DeclaredFolder[];
  /** The line of each setting, from 1: of `model`, of `folders.guides`. */
  readonly lines: Readonly<Record<string, number>>;
}

const schema = z.strictObject({
  bot: z.string().min(1).optional().describe('the name or id of a bot'),
  model: z.string().min(1).optional().describe('a model folder or hub id'),
  passageTokens: passageTokensSchema,
  refresh: z.boolean().optional().describe('true or false'),
  cluster: z.string().min(1).optional().describe('addresses of nodes, separated by commas'),
  folders: z
    .record(nameSchema, declaredFolderSchema)
    .default({})
    .describe(`an object such as { "guides": { "path": "docs" } }, with names of ${nameSchema.description}`),
});

/**
 * Reads a configuration file: JSON, which may have comments. Relative paths in it start from the parent of its folder:
 * for `.waymark/config.json`, from the folder that contains `.waymark`. Undefined if there is no file. Throws
 * `INVALID_ARGUMENT` with the line.
 */
export async function readConfiguration(file: string): Promise<Configuration | undefined> {
  const text = await textOf(file);
  if (text === undefined) return undefined;
  const document = jsonDocumentOf(text);
  const { problem, lineOf } = document;
  if (problem) throw wrong(file, problem.line, `The JSON is not valid: ${problem.reason}.`);
  const { folders, model, ...settings } = checked(file, document);
  const base = path.resolve(file, '..', '..');
  const named = Object.entries(folders);
  const keys = [...Object.keys({ ...settings, model }), 'folders'];
  const declared = named.map(([name, { path: place, tags = {}, tagRules = [], ignore = [] }]) => {
    return { folder: path.resolve(base, place), name, tags, tagRules, ignore };
  });
  checkPaths(file, { declared, lineOf });
  return {
    ...settings,
    model: model?.startsWith('.') ? path.resolve(base, model) : model,
    folders: declared,
    lines: Object.fromEntries([
      ...keys.map((key) => [key, lineOf([key])]),
      ...named.map(([name]) => [`folders.${name}`, lineOf(['folders', name])]),
    ]),
  };
}

/** Refuses two names of one folder: each run would give its files the keys of the other. */
function checkPaths(
  file: string,
  { declared, lineOf }: { declared: readonly DeclaredFolder[]; lineOf: JsonDocument['lineOf'] },
): void {
  const names = new Map<string, string>();
  for (const { folder, name } of declared) {
    const other = names.get(folder);
    if (other !== undefined) {
      const message = `The folders "${other}" and "${name}" have the same path: remove one of them.`;
      throw wrong(file, lineOf(['folders', name]), message);
    }
    names.set(folder, name);
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    // Opening a FIFO would wait for a writer.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!(await handle.stat()).isFile()) throw notAFile(file);
      return (await handle.readFile('utf8')).replace(/^\uFEFF/, '');
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (cause instanceof WaymarkError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if ((code === 'ENOENT' || code === 'ENOTDIR') && !(await isLink(file))) return undefined;
    if (code === 'ENXIO') throw notAFile(file, cause);
    const remedy = isDenied(cause) ? CHECK_PERMISSIONS : 'correct or remove it';
    throw new WaymarkError('INVALID_ARGUMENT', `${file} cannot be read (${code}): ${remedy}.`, { cause });
  }
}

/** A folder, a pipe, a socket or a device has the name. */
function notAFile(file: string, cause?: unknown): WaymarkError {
  return new WaymarkError('INVALID_ARGUMENT', `${file} is not a regular file: replace or remove it.`, { cause });
}

/** Whether a file that cannot be found is a link to one that is gone. */
async function isLink(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

function checked(file: string, { value, lineOf }: JsonDocument): z.output<typeof schema> {
  try {
    return validate(schema, value, { called: 'The file' });
  } catch (error) {
    const { cause, message } = error as WaymarkError;
    const [issue] = cause instanceof z.ZodError ? cause.issues : [];
    if (!issue) throw error;
    const at = issue.path as (string | number)[];
    if (issue.code !== 'unrecognized_keys') {
      const sentence = at.length === 0 ? 'The file must hold an object of settings.' : message;
      throw wrong(file, lineOf(at), sentence, error);
    }
    const [key = ''] = issue.keys;
    const names = namesAt(at);
    throw wrong(file, lineOf([...at, key]), `There is no setting ${JSON.stringify(key)}: use ${names}.`, error);
  }
}

/** The settings that there are at a path, in words. */
function namesAt(at: readonly PropertyKey[]): string {
  const { shape } = at.length === 0 ? schema : declaredFolderSchema;
  const names = at.length > 2 ? ['path', 'tags'] : Object.keys(shape);
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function wrong(file: string, line: number, message: string, cause?: unknown): WaymarkError {
  return new WaymarkError('INVALID_ARGUMENT', `${file}:${line}: ${message}`, { cause });
}
