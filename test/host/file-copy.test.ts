import { expect, test } from 'vitest';
import type { WithEngine } from '#src/host/bot-engines.js';
import { copyOf } from '#src/host/file-copy.js';
import { GIVEN } from '#src/indexing/pipeline.js';
import type { FileContent } from '#src/storage/contents.js';
import type { FileRecord, FileRecords } from '#src/storage/file-records.js';

test('a file that changes while its passages are read is copied as it is afterwards', async () => {
  const states = [stateOf(1, ['public_content']), stateOf(2, [])];
  let now = 0;
  const passagesOf = async () => {
    now = 1;
    return [{ content: 'A private passage.', subtype: 'text', pageNumber: undefined }];
  };
  const copy = await copyOf(async () => states[now] as (typeof states)[0], {
    key: 'b.md',
    records: { withKey: async () => states[now]?.record } as unknown as FileRecords,
    engine: ((work: (engine: object) => unknown) => work({ passagesOf })) as unknown as WithEngine,
  });
  expect(copy.file.accessPolicies).toEqual([]);
  expect(copy.content.version).toBe('2');
});

/** A file with passages that a caller has set, in one of its states. */
function stateOf(version: number, accessPolicies: FileRecord['accessPolicies']) {
  const record = {
    ...{
      id: 'file_1',
      key: 'a.md',
      contentType: 'text/markdown',
      tags: {},
      metadata: {},
      createdAt: '',
      updatedAt: '',
    },
    ...{ version, accessPolicies, size: 1, index: true, pipeline: GIVEN, status: 'indexing_completed' as const },
  };
  const content = { version: String(version), size: 1, isText: false, isUtf8: true } as FileContent;
  return { record, content };
}
