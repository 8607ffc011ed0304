import { expect, test } from 'vitest';
import { inMilliseconds } from '../support/later.js';
import { FILE, refused } from './support/recorded.js';
import { wire } from './support/wire.js';

const EXPECTED = {
  body: { file: { ...FILE, size: null, status: 'upload_pending', uploadUrl: '{url}/v1/uploads/secret?x=1' } },
};

test('an upload requests an address, puts the bytes there without the token, and answers the file', async () => {
  const { client, arrived } = await wire([EXPECTED, { body: {} }, { body: { file: FILE } }]);
  const expiresAt = inMilliseconds(3_600_000);
  const answer = await client.uploadFile({
    key: 'guides/keys.md',
    content: 'Schlüssel\n',
    tags: { kind: 'guide' },
    metadata: { n: 1 },
    contentType: 'text/markdown',
    index: true,
    expiresAt,
  });
  expect(answer).toEqual({ file: FILE });
  expect(arrived.map(({ line }) => line)).toEqual([
    'PUT /v1/files',
    'PUT /v1/uploads/secret?x=1',
    `GET /v1/files/${FILE.id}`,
  ]);
  expect(JSON.parse(arrived[0]?.body ?? '')).toEqual({
    key: 'guides/keys.md',
    size: 11,
    tags: { kind: 'guide' },
    metadata: { n: 1 },
    contentType: 'text/markdown',
    index: true,
    accessPolicies: [],
    expiresAt,
  });
  expect(arrived[1]).toEqual({
    line: 'PUT /v1/uploads/secret?x=1',
    headers: { accept: '*/*', 'content-type': 'text/markdown', 'content-length': '11' },
    body: 'Schlüssel\n',
  });
});

test('bytes are sent unchanged, also part of a larger array and an empty one', async () => {
  const bytes = new TextEncoder().encode('-apples-').subarray(1, 7);
  for (const [content, body] of [
    [bytes, 'apples'],
    [Buffer.from('pears'), 'pears'],
    ['', ''],
  ] as const) {
    const { client, arrived } = await wire([EXPECTED, { body: '' }, { body: { file: FILE } }]);
    await client.uploadFile({ key: 'a.md', content });
    expect([JSON.parse(arrived[0]?.body ?? '').size, arrived[1]?.body]).toEqual([body.length, body]);
  }
});

test('a used address is UPLOAD_MISSING, too many bytes are INVALID_ARGUMENT', async () => {
  const gone = await wire([EXPECTED, refused(404, { type: 'ResourceNotFound', message: 'Upsert the file again.' })]);
  await expect(gone.client.uploadFile({ key: 'a.md', content: 'a' })).rejects.toMatchObject({
    code: 'UPLOAD_MISSING',
    message: 'Upsert the file again.',
  });
  const large = await wire([EXPECTED, refused(413, { type: 'PayloadTooLarge', message: 'At most 10 MB.' })]);
  await expect(large.client.uploadFile({ key: 'a.md', content: 'a' })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'At most 10 MB.',
  });
});

test('an upload address that is not http is refused, and not shown', async () => {
  for (const uploadUrl of ['file:///etc/secret', 'file:///https://secret', '/v1/uploads/secret', 7]) {
    const { client, lines } = await wire([{ body: { file: { ...FILE, uploadUrl } } }]);
    await expect(client.uploadFile({ key: 'a.md', content: 'a' })).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.not.stringContaining('secret'),
    });
    expect(lines).toEqual(['PUT /v1/files']);
  }
});

test('bytes are put once, even if the connection breaks', async () => {
  const { client, lines, waits } = await wire([EXPECTED, 'break']);
  await expect(client.uploadFile({ key: 'a.md', content: 'a' })).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  expect([lines, waits]).toEqual([['PUT /v1/files', 'PUT /v1/uploads/secret?x=1'], []]);
});
