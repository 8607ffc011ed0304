import { z } from 'zod';
import type { Tags } from '../domain/passage.js';
import { tagsSchema } from './fields/file-fields.js';
import { callbackSchema, flagSchema, signalSchema } from './fields/query.js';
import { plainOptions, validate } from './validate.js';

/** What of the options of `indexFolder` is checked here. */
interface Given {
  readonly ignore?: readonly string[] | undefined;
  readonly tags?: Tags | undefined;
  readonly verify?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const folderSchema = z.object({
  folder: z
    .string()
    .refine((folder) => folder !== '' && !folder.includes('\0'))
    .describe('the path of a folder'),
  ignore: z.array(z.string()).optional().describe('a list of patterns'),
  tags: tagsSchema,
  verify: flagSchema,
  signal: signalSchema,
  onProgress: callbackSchema,
});

/** Checks a folder to index and how to index it. Returns the options with their defaults. Throws `INVALID_ARGUMENT`. */
export function validateFolder<Options extends Given>(folder: string, options: Options): Options & { tags: Tags } {
  const { tags, verify } = validate(folderSchema, { ...plainOptions(options), folder });
  return { ...options, tags, verify };
}
