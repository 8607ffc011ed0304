import { expect, test } from 'vitest';
import type { OPERATIONS } from '#src/contract/operations/index.js';
import { engineOf } from '../support/engine.js';
import { inMilliseconds } from '../support/later.js';
import { transports } from './support/transports.js';

type Id = keyof typeof OPERATIONS;

const QUERY = 'a non-empty string of at most 2048 bytes';
const ID = 'an id or key of 1 to 1000 characters';
const BOT = 'an id or name of 1 to 1000 characters';
const BASE = 'a string of 1 to 100 characters without NUL and lone surrogates';
const NAME = '1 to 100 letters, digits, spaces, dots, dashes or underscores, starting with a letter or digit';
const CONDITION = 'a value, a list of values, or an object of the operators in, not and exists';
const FILTER = `an object of tag names to ${CONDITION}`;
const TAGS = 'an object of names to strings of at most 1000 characters, without NUL and lone surrogates';
const KEY = 'a string of 1 to 1000 characters without control characters and lone surrogates';
const TAG = 'a string of 1 to 1000 characters without NUL and lone surrogates';
const SUBTYPE = 'one of title, subtitle, paragraph, blockquote, list, table, code, image';
const TIME = 'an ISO 8601 time within the next 90 days, at most 14 hours from UTC';
const PASSAGES = 'a list of at most 10000 { content, type?, pageNumber? }';
const UNNAMED = JSON.parse('{"__proto__":"a"}');

const REFUSED: readonly (readonly [Id, object, string])[] = [
  ['searchFiles', {}, `query must be ${QUERY}; it is missing.`],
  ['searchFiles', { query: ' \n' }, `query must be ${QUERY}; it is " \\n".`],
  ['searchFiles', { query: 'é'.repeat(1025) }, `query must be ${QUERY}; it is "${'é'.repeat(76)}….`],
  ['searchFiles', { query: 'a', limit: 51 }, 'limit must be an integer from 1 to 50; it is 51.'],
  ['searchFiles', { query: 'a', limit: 'ten' }, 'limit must be an integer from 1 to 50; it is "ten".'],
  ['searchFiles', { query: 'a', contextDepth: 0.5 }, 'contextDepth must be an integer from 0 to 10; it is 0.5.'],
  ['searchFiles', { query: 'a', consolidate: 'yes' }, 'consolidate must be true or false; it is "yes".'],
  [
    'searchFiles',
    { query: 'a', consolidate: true, withContext: true },
    'withContext is not supported with consolidate: use one of them.',
  ],
  ['searchFiles', { query: 'a', tags: 'b' }, `tags must be ${FILTER}; it is "b".`],
  ['searchFiles', { query: 'a', tags: { a: 1 } }, `tags.a must be ${CONDITION}; it is 1.`],
  ['searchFiles', { query: 'a', tags: { a: { is: 'b' } } }, `tags.a must be ${CONDITION}; it is { is: 'b' }.`],
  ['searchFiles', { query: 'a', tags: UNNAMED }, 'tags cannot have a member "__proto__": choose another name.'],
  ['listFiles', { pageSize: 0 }, 'pageSize must be an integer from 1 to 100; it is 0.'],
  ['listFiles', { sortField: 'name' }, 'sortField must be key, size, createdAt, updatedAt or status; it is "name".'],
  ['listFiles', { sortDirection: 'up' }, 'sortDirection must be asc or desc; it is "up".'],
  ['listFiles', { indexed: 'maybe' }, 'indexed must be true or false; it is "maybe".'],
  [
    'listFiles',
    { ids: Array(51).fill('a') },
    expect.stringMatching(/^ids must be a list of at most 50 ids; it is \[ 'a', /),
  ],
  ['getFile', { id: 'a'.repeat(1001) }, `id must be ${ID}; it is "${'a'.repeat(76)}….`],
  ['deleteFile', { id: 'a'.repeat(1001) }, `id must be ${ID}; it is "${'a'.repeat(76)}….`],
  ['updateFileMetadata', { id: 'a.md', tags: { a: 1 } }, `tags must be ${TAGS}, or null to delete; it is { a: 1 }.`],
  [
    'updateFileMetadata',
    { id: 'a.md', metadata: ['a'] },
    `metadata must be an object of JSON values, at most 100 deep, with no "__proto__"; it is [ 'a' ].`,
  ],
  [
    'updateFileMetadata',
    { id: 'a.md', metadata: UNNAMED },
    'metadata cannot have a member "__proto__": choose another name.',
  ],
  [
    'updateFileMetadata',
    { id: 'a.md', accessPolicies: ['everybody'] },
    `accessPolicies must be a list of public_content or integrations; it is [ 'everybody' ].`,
  ],
  [
    'updateFileMetadata',
    { id: 'a.md', expiresAt: 'soon' },
    `expiresAt must be ${TIME}, or null for never; it is "soon".`,
  ],
  ['listFilePassages', { id: 'a.md', limit: 201 }, 'limit must be an integer from 1 to 200; it is 201.'],
  ['setFilePassages', { id: 'a.md' }, `passages must be ${PASSAGES}; it is missing.`],
  [
    'setFilePassages',
    { id: 'a.md', passages: [{ content: 'a' }, { content: 'b', type: 'poem' }] },
    `passages[1].type must be ${SUBTYPE}; it is "poem".`,
  ],
  [
    'setFilePassages',
    { id: 'a.md', passages: [{ content: '' }] },
    'passages[0].content must be a non-empty string; it is "".',
  ],
  [
    'setFilePassages',
    { id: 'a.md', passages: [{ content: 'a', pageNumber: 0 }] },
    'passages[0].pageNumber must be an integer from 1; it is 0.',
  ],
  ['listFileTagValues', { tag: 'a\0b' }, `tag must be ${TAG}; it is "a\\u0000b".`],
  ['copyFile', { id: 'a.md', destinationKey: 'a\nb' }, `destinationKey must be ${KEY}; it is "a\\nb".`],
  ['createKnowledgeBase', { name: '' }, `name must be ${BASE}; it is "".`],
  ['updateKnowledgeBase', { id: 'a' }, `name must be ${BASE}; it is missing.`],
  ['listKnowledgeBases', { tags: { a: { is: 'b' } } }, `tags.a must be ${CONDITION}; it is { is: 'b' }.`],
  ['listBots', { pageSize: 101 }, 'pageSize must be an integer from 1 to 100; it is 101.'],
  ['listBots', { sortField: 'name' }, 'sortField must be createdAt or updatedAt; it is "name".'],
  ['listBots', { tags: { a: 1 } }, `tags.a must be ${CONDITION}; it is 1.`],
  ['createBot', { name: '' }, `name must be ${NAME}; it is "".`],
  ['createBot', { dev: true }, 'dev must be false; it is true.'],
  ['updateBot', { id: 'a', name: '-' }, `name must be ${NAME}; it is "-".`],
  ['getBot', { id: 'a'.repeat(1001) }, `id must be ${BOT}; it is "${'a'.repeat(76)}….`],
];

test('the same wrong argument meets the same sentence in process, through the client and over raw HTTP', async () => {
  for (const [name, request] of Object.entries(await transports())) {
    for (const [id, given, message] of REFUSED) {
      expect([name, id, await request(id, given)]).toEqual([name, id, { code: 'INVALID_ARGUMENT', message }]);
    }
  }
});

test('an engine refuses wrong arguments with the same sentences', async () => {
  const engine = await engineOf();
  const methods: Partial<Record<Id, (request: never) => Promise<unknown>>> = {
    searchFiles: (request) => engine.searchFiles(request),
    listBots: (request) => engine.listBots(request),
    getBot: (request) => engine.getBot(request),
  };
  for (const [id, given, message] of REFUSED) {
    const method = methods[id];
    if (method) await expect(method(given as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
  }
});

/** Also the fields of the file announced by upsertFile, which has no method in the client. */
const UPSERTS: readonly (readonly [object, string])[] = [
  [{ key: 'a.md' }, 'size must be an integer from 0; it is missing.'],
  [{ key: 'a\nb', size: 1 }, `key must be ${KEY}; it is "a\\nb".`],
  [{ key: 'a.md', size: -1 }, 'size must be an integer from 0; it is -1.'],
  [
    { key: 'a.md', size: 1, tags: { a: 'b'.repeat(1001) } },
    "A tag's value must have at most 1000 characters; it has 1001.",
  ],
  [{ key: 'a.md', size: 1, contentType: '' }, 'contentType must be a media type such as text/markdown; it is "".'],
  [
    { key: 'a.md', size: 1, contentType: 'text/plain\r\nx: y' },
    'contentType must be a media type such as text/markdown; it is "text/plain\\r\\nx: y".',
  ],
  [{ key: 'a.md', size: 1, index: 'yes' }, 'index must be true or false; it is "yes".'],
  [{ key: 'a.md', size: 1, expiresAt: 7 }, `expiresAt must be ${TIME}; it is 7.`],
  [
    { key: 'a.md', size: 1, accessPolicies: ['everybody'] },
    `accessPolicies must be a list of public_content or integrations; it is [ 'everybody' ].`,
  ],
];

test('the same wrong announcement of a file meets the same sentence in process and over raw HTTP', async () => {
  const { 'in process': inProcess, 'raw HTTP': raw } = await transports();
  for (const [request, message] of UPSERTS) {
    const refusal = { code: 'INVALID_ARGUMENT', message };
    expect([request, await inProcess('upsertFile', request)]).toEqual([request, refusal]);
    expect([request, await raw('upsertFile', request)]).toEqual([request, refusal]);
  }
});

const ANSWERED: readonly (readonly [Id, object])[] = [
  ['searchFiles', { query: 'kettle' }],
  ['searchFiles', { query: 'kettle', withContext: true, includeBreadcrumb: true, contextDepth: 2, limit: 1 }],
  ['searchFiles', { query: 'kettle lid', consolidate: true }],
  ['searchFiles', { query: 'kettle', tags: { kind: { not: ['guide'] } } }],
  ['listFiles', {}],
  ['listFiles', { pageSize: 1, sortField: 'key', sortDirection: 'asc', indexed: true, tags: { kind: ['guide'] } }],
  ['listFiles', { ids: ['none', 'neither'] }],
  ['listFiles', { nextToken: 'none-of-ours' }],
  ['getFile', { id: 'a.md' }],
  ['getFile', { id: 'none.md' }],
  ['updateFileMetadata', { id: 'a.md', tags: { lang: 'en', none: null }, metadata: { a: [1, { b: null }] } }],
  ['updateFileMetadata', { id: 'a.md', accessPolicies: ['public_content'], expiresAt: inMilliseconds(3_600_000) }],
  ['updateFileMetadata', { id: 'none.md' }],
  ['deleteFile', { id: 'none.md' }],
  ['listFilePassages', { id: 'a.md' }],
  ['listFilePassages', { id: 'a.md', limit: 1 }],
  ['listFilePassages', { id: 'none.md' }],
  ['setFilePassages', { id: 'a.md', passages: [{ content: 'One.' }, { content: '- 2', type: 'list', pageNumber: 3 }] }],
  ['listFilePassages', { id: 'a.md' }],
  ['listFileTags', {}],
  ['listFileTagValues', { tag: 'kind' }],
  ['listFileTagValues', { tag: 'none' }],
  ['copyFile', { id: 'none.md', destinationKey: 'b.md' }],
  ['copyFile', { id: 'a.md', destinationKey: 'a.md' }],
  ['listKnowledgeBases', { pageSize: 1, tags: { a: ['b'] } }],
  ['updateKnowledgeBase', { id: 'none', name: 'a' }],
  ['deleteKnowledgeBase', { id: 'none' }],
  ['listBots', {}],
  ['listBots', { dev: false, tags: {}, pageSize: 1 }],
  ['listBots', { dev: true }],
  ['getBot', { id: 'support' }],
  ['getBot', { id: 'none' }],
];

test('the same request gets the same answer in process, through the client and over raw HTTP', async () => {
  const { 'in process': inProcess, ...others } = await transports();
  for (const [id, given] of ANSWERED) {
    const expected = await inProcess(id, given);
    for (const [name, request] of Object.entries(others)) {
      expect([name, id, given, await request(id, given)]).toEqual([name, id, given, expected]);
    }
  }
});

test('a file is announced with the same answer in process and over raw HTTP', async () => {
  const { 'in process': inProcess, 'raw HTTP': raw } = await transports();
  const request = { key: 'b.md', size: 3, tags: { a: 'b' }, metadata: { n: 1 }, index: true };
  const expected = await inProcess('upsertFile', request);
  expect(expected).toMatchObject({ answer: { file: { key: 'b.md', uploadUrl: '/v1/uploads/secret' } } });
  expect(await raw('upsertFile', request)).toEqual(expected);
});
