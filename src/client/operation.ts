import type { BotOperations, FileOperations } from '../contract/operations.js';

type Operations = FileOperations & BotOperations;

/** What an operation is asked with. */
export type RequestOf<Name extends keyof Operations> = NonNullable<Parameters<Operations[Name]>[0]>;

/** What an operation answers. */
export type AnswerOf<Name extends keyof Operations> = Awaited<ReturnType<Operations[Name]>>;
