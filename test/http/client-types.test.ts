import type { ClientOutputs } from '@botpress/client';
import { expectTypeOf, test } from 'vitest';
import type { SearchFilesResponse } from 'waymark';
import type { ResponseOf } from '#src/contract/operation.js';
import type { Operations } from '#src/contract/operations/index.js';

/** An answer as the client types it: mutable. */
type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

type Answer<Id extends keyof Operations> = Mutable<ResponseOf<Operations[Id]>>;

test('every answer of the contract has the type that @botpress/client gives it', () => {
  expectTypeOf<Answer<'searchFiles'>>().toExtend<ClientOutputs['searchFiles']>();
  expectTypeOf<Mutable<SearchFilesResponse>>().toExtend<ClientOutputs['searchFiles']>();
  expectTypeOf<Answer<'getFile'>>().toExtend<ClientOutputs['getFile']>();
  expectTypeOf<Answer<'listFiles'>>().toExtend<ClientOutputs['listFiles']>();
  expectTypeOf<Answer<'upsertFile'>>().toExtend<ClientOutputs['upsertFile']>();
  expectTypeOf<Answer<'updateFileMetadata'>>().toExtend<ClientOutputs['updateFileMetadata']>();
  expectTypeOf<Answer<'deleteFile'>>().toExtend<ClientOutputs['deleteFile']>();
  expectTypeOf<Answer<'listFilePassages'>>().toExtend<ClientOutputs['listFilePassages']>();
  expectTypeOf<Answer<'setFilePassages'>>().toExtend<ClientOutputs['setFilePassages']>();
  expectTypeOf<Answer<'listFileTags'>>().toExtend<ClientOutputs['listFileTags']>();
  expectTypeOf<Answer<'listFileTagValues'>>().toExtend<ClientOutputs['listFileTagValues']>();
  expectTypeOf<Answer<'listBots'>>().toExtend<ClientOutputs['listBots']>();
  expectTypeOf<Answer<'getBot'>>().toExtend<ClientOutputs['getBot']>();
  expectTypeOf<Answer<'createBot'>>().toExtend<ClientOutputs['createBot']>();
  expectTypeOf<Answer<'updateBot'>>().toExtend<ClientOutputs['updateBot']>();
  expectTypeOf<Answer<'deleteBot'>>().toExtend<ClientOutputs['deleteBot']>();
  expectTypeOf<Answer<'copyFile'>>().toExtend<ClientOutputs['copyFile']>();
  expectTypeOf<Answer<'listKnowledgeBases'>>().toExtend<ClientOutputs['listKnowledgeBases']>();
  expectTypeOf<Answer<'createKnowledgeBase'>>().toExtend<ClientOutputs['createKnowledgeBase']>();
  expectTypeOf<Answer<'updateKnowledgeBase'>>().toExtend<ClientOutputs['updateKnowledgeBase']>();
  expectTypeOf<Answer<'deleteKnowledgeBase'>>().toExtend<ClientOutputs['deleteKnowledgeBase']>();
  expectTypeOf<Answer<'listWorkspaces'>>().toExtend<ClientOutputs['listWorkspaces']>();
  expectTypeOf<Answer<'getWorkspace'>>().toExtend<ClientOutputs['getWorkspace']>();
  expectTypeOf<Answer<'updateWorkspace'>>().toExtend<ClientOutputs['updateWorkspace']>();
});
