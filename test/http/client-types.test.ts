import type { ClientOutputs } from '@botpress/client';
import { expectTypeOf, test } from 'vitest';
import type { SearchFilesResponse } from 'waymark';
import type { z } from 'zod';
import type { getBotResponse, listBotsResponse } from '#src/http/bots.js';
import type { searchFilesResponse } from '#src/http/search-files.js';

/** What a value is when it has come as JSON: it may be changed, and nothing in it is undefined. */
type Answered<T> = T extends readonly (infer Item)[]
  ? Answered<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Answered<Exclude<T[Key], undefined>> }
    : T;

test('what is answered is what the client says that it gets', () => {
  expectTypeOf<Answered<z.output<typeof searchFilesResponse>>>().toExtend<ClientOutputs['searchFiles']>();
  expectTypeOf<Answered<z.output<typeof listBotsResponse>>>().toExtend<ClientOutputs['listBots']>();
  expectTypeOf<Answered<z.output<typeof getBotResponse>>>().toExtend<ClientOutputs['getBot']>();
  expectTypeOf<Answered<SearchFilesResponse>>().toExtend<ClientOutputs['searchFiles']>();
});
