import { z } from 'zod';
import type { File } from '../contract/operations.js';
import type { AnswerOf } from './operation.js';

/** Checks no more of an answer than a caller would stumble over first; fields that a newer server adds are left in. */
function answer<Body>(shape: z.ZodRawShape): z.ZodType<Body> {
  return z.looseObject(shape) as unknown as z.ZodType<Body>;
}

const meta = z.looseObject({ nextToken: z.string().min(1).optional() });

const file = z.looseObject({
  id: z.string(),
  key: z.string(),
  contentType: z.string(),
  tags: z.looseObject({}),
  metadata: z.looseObject({}),
});

const storedFile = z.looseObject({ ...file.shape, status: z.string() });

const bot = z.looseObject({ id: z.string(), name: z.string(), createdAt: z.string(), updatedAt: z.string() });

const found = z.looseObject({ content: z.string(), score: z.number(), meta: z.looseObject({}), file });

const passage = z.looseObject({ id: z.string(), content: z.string(), meta: z.looseObject({}) });

export const FOUND = answer<AnswerOf<'searchFiles'>>({ passages: z.array(found) });

export const FILES = answer<AnswerOf<'listFiles'>>({ files: z.array(storedFile), meta });

export const FILE = answer<AnswerOf<'getFile'>>({ file: storedFile });

/** A file that waits for its content at an address. */
export interface ExpectedFile {
  readonly file: File & { readonly uploadUrl: string };
}

export const EXPECTED_FILE = answer<ExpectedFile>({
  file: z.looseObject({ ...storedFile.shape, uploadUrl: z.url({ protocol: /^https?$/ }) }),
});

export const PASSAGES = answer<AnswerOf<'listFilePassages'>>({ passages: z.array(passage), meta });

export const FILE_TAGS = answer<AnswerOf<'listFileTags'>>({ tags: z.array(z.string()), meta });

export const FILE_TAG_VALUES = answer<AnswerOf<'listFileTagValues'>>({ values: z.array(z.string()), meta });

export const BOTS = answer<AnswerOf<'listBots'>>({ bots: z.array(bot), meta });

export const BOT = answer<AnswerOf<'getBot'>>({ bot });

export const NOTHING = answer<Record<string, never>>({});
