import { excessOf } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import type { Tags } from '../../domain/passage.js';
import { z } from '../../domain/zod.js';
import type { TagRule } from '../../storage/folders.js';
import { signalSchema } from '../abortable.js';
import { givenTagsSchema, keptTagsSchema } from '../fields/file-fields.js';
import { callbackSchema, flagSchema, pathsSchema } from '../fields/query.js';
import { within } from '../fields/within.js';
import { nameSchema } from '../names.js';
import { plainOptions, validate } from '../validate.js';

/** Options of `addFolder`: what is kept of a folder. One that is not given stays as it was. */
export interface AddFolderOptions {
  /**
   * What the keys of its files begin with, before a slash: 1 to 100 characters. Defaults to the folder's own name
   * on disk.
   */
  readonly name?: string | undefined;
  /** Files to skip: patterns in .gitignore syntax, relative to the folder. */
  readonly ignore?: readonly string[] | undefined;
  /** Tags of every file in the folder. They override tags of the same name in a file's front matter. */
  readonly tags?: Tags | undefined;
  /** Tags of some files, which override `tags`; of several rules that a file matches, the last one counts. */
  readonly tagRules?: readonly TagRule[] | undefined;
}

/** The options of `indexFolder` that are checked here. */
interface Given {
  readonly ignore?: readonly string[] | undefined;
  readonly tags?: Tags | undefined;
  readonly tagRules?: readonly TagRule[] | undefined;
  readonly verify?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Characters: PATH_MAX of Linux, which counts bytes. */
const LONGEST_PATH = 4096;

const pathSchema = z
  .string()
  .refine((folder) => folder !== '' && folder.length <= LONGEST_PATH && !folder.includes('\0'))
  .describe('the path of a folder');

const rulePathSchema = pathsSchema.unwrap().describe('a file, a folder or a glob, or a list of them');

const patternSchema = within(z.string(), ({ length }) => excessOf(LIMITS.ignoreRule, length));

const keptShape = {
  ignore: z.array(patternSchema).optional().describe('a list of patterns'),
  tags: keptTagsSchema,
  tagRules: z
    .array(z.strictObject({ path: rulePathSchema, tags: givenTagsSchema }))
    .optional()
    .describe('a list of objects of path and tags'),
};

const runShape = { verify: flagSchema, signal: signalSchema, onProgress: callbackSchema };

const runSchema = z.object(runShape);
const folderSchema = z.object({ ...keptShape, ...runShape, folder: pathSchema });
const addSchema = z.object({
  ...keptShape,
  folder: pathSchema,
  name: nameSchema.optional().describe(nameSchema.description ?? ''),
});
const dropSchema = z.object({ folder: z.string().min(1).describe('the name or the path of a folder') });

/** A folder of a configuration file, under its name. */
export const declaredFolderSchema = z
  .strictObject({ path: pathSchema, ...keptShape })
  .describe('an object with a path');

/**
 * Checks a folder to index and how to index it. Returns a copy of the options with their defaults. Throws
 * `INVALID_ARGUMENT`.
 */
export function validateFolder<Options extends Given>(folder: string, options: Options): Options {
  const { ignore, tags, tagRules, verify } = validate(folderSchema, { ...plainOptions(options), folder });
  return { ...options, ignore, tags, tagRules, verify };
}

/** Checks how to index all folders. Throws `INVALID_ARGUMENT`. */
export function validateRun<Options extends Given>(options: Options): Options {
  const { verify } = validate(runSchema, plainOptions(options));
  return { ...options, verify };
}

const watchSchema = z.object({ onUpdate: callbackSchema, signal: signalSchema });

/** Checks the options of `watch`. Throws `INVALID_ARGUMENT`. */
export function validateWatch<Options extends object>(options: Options): Options {
  validate(watchSchema, plainOptions(options));
  return options;
}

/** Checks a folder to add. Throws `INVALID_ARGUMENT`. */
export function validateAddedFolder(folder: string, options: AddFolderOptions): AddFolderOptions {
  const { name, ignore, tags, tagRules } = validate(addSchema, { ...plainOptions(options), folder });
  return { name, ignore, tags, tagRules };
}

/** Checks the name or path of a folder to drop. Throws `INVALID_ARGUMENT`. */
export function validateDroppedFolder(folder: string): string {
  return validate(dropSchema, { folder }).folder;
}
