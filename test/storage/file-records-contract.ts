import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#src/domain/limits.js';
import type { UsedAddress } from '#src/storage/contents.js';
import {
  type FileRecord,
  type FileRecords,
  type FileToUpload,
  OPEN_ADDRESSES,
  type UploadAddress,
} from '#src/storage/file-records.js';
import type { Storage } from '#src/storage/storage.js';
import { allOf, inOrder } from './accounts-contract.js';

/** The ports that files are kept by, except for their passages. */
export type FilePorts = Pick<Storage, 'accounts' | 'contents' | 'uploads' | 'fileRecords'>;

const PAST = new Date(Date.now() - 60_000).toISOString();
const FUTURE = new Date(Date.now() + 3_600_000).toISOString();
const NEVER = '9999-01-01T00:00:00.000Z';

/** What holds for the records of files, their contents and upload addresses in every storage. */
export function describeFileRecords(name: string, open: () => Promise<FilePorts>): void {
  describe(`records of files: ${name}`, () => {
    it('an announced file has no size until its content arrives, and then waits to be indexed', async () => {
      const { records, stage } = await botOf(await open());
      const address = addressOf();
      const file = fileOf('a.md', { size: 3, contentType: 'text/plain', tags: { a: '1' }, metadata: { b: [2] } });
      const announced = await recordOf(records.announce(file, { address }));
      expect(announced).toMatchObject({ key: 'a.md', size: null, status: 'upload_pending', index: true });
      expect(announced).toMatchObject({ tags: { a: '1' }, metadata: { b: [2] }, accessPolicies: [], pipeline: '' });
      expect(await records.find('a.md')).toEqual(announced);
      expect(await records.content(announced.id)).toBeUndefined();
      expect(await records.hasPending()).toBe(false);
      const received = await records.receive(usedNow(address), await stage('abc'));
      expect(received).toMatchObject({
        id: announced.id,
        size: 3,
        status: 'indexing_pending',
        contentType: 'text/plain',
      });
      expect(received.version).toBeGreaterThan(announced.version);
      expect(await records.find('a.md')).toEqual(received);
      expect(await records.find(announced.id)).toEqual(received);
      expect(await records.hasPending()).toBe(true);
      expect(await records.pending({ after: '', limit: 10 })).toEqual([{ id: announced.id, size: 3 }]);
    });

    it('a key finds its own file, though it is the id of another', async () => {
      const { records } = await botOf(await open());
      const first = await recordOf(records.announce(fileOf('a.md')));
      expect(await records.withKey(first.id)).toBeUndefined();
      const second = await recordOf(records.announce(fileOf(first.id)));
      expect(await records.withKey(first.id)).toEqual(second);
      expect(await records.find(first.id)).toEqual(first);
      expect(await records.identify(first.id)).toMatchObject({ id: first.id, key: first.key });
      await recordOf(records.announce(fileOf(first.id, { expiresAt: PAST })));
      expect(await records.withKey(first.id)).toBeUndefined();
    });

    it('an upsert replaces a description and keeps the id; with isNew it refuses a key in use', async () => {
      const { records, stage } = await botOf(await open());
      const first = await recordOf(records.announce(fileOf('a.md', { tags: { a: '1' }, expiresAt: FUTURE })));
      expect(await records.announce(fileOf('a.md'), { isNew: true })).toBe('taken');
      const content = await stage('abcd');
      expect(await records.upsert(fileOf('a.md'), content, { isNew: true })).toBe('taken');
      const second = await recordOf(records.upsert(fileOf('a.md', { accessPolicies: ['public_content'] }), content));
      expect(second).toMatchObject({ id: first.id, createdAt: first.createdAt, tags: {}, size: 4 });
      expect(second).toMatchObject({ status: 'indexing_pending', accessPolicies: ['public_content'] });
      expect(second).not.toHaveProperty('expiresAt');
      expect(second.version).toBeGreaterThan(first.version);
    });

    it('an announcement changes only the status of a file until the content arrives', async () => {
      const { records, stage } = await botOf(await open());
      const former = { contentType: 'text/plain', tags: { of: 'a' }, metadata: { of: 'a' }, expiresAt: FUTURE };
      const { id } = await recordOf(records.upsert(fileOf('a.md', former), await stage('abc')));
      const later = {
        ...{ contentType: 'text/html', tags: { of: 'b' }, metadata: { of: 'b' } },
        ...({ accessPolicies: ['public_content'], expiresAt: NEVER } as const),
      };
      const address = addressOf();
      const announce = () => recordOf(records.announce(fileOf('a.md', { size: 4, ...later }), { address }));
      expect(await announce()).toMatchObject({ ...later, id, size: null, status: 'upload_pending' });
      const kept = { ...former, size: 3, index: true, accessPolicies: [] };
      const waiting = await records.find(id);
      expect(waiting).toMatchObject({ ...kept, status: 'indexing_pending' });
      expect(await records.pending({ after: '', limit: 10 })).toEqual([{ id, size: 3 }]);
      await records.fail(waiting as FileRecord, { status: 'indexing_failed', reason: 'No text' });
      await recordOf(records.announce(fileOf('a.md', { index: false })));
      const failed = { status: 'indexing_failed', failedStatusReason: 'No text' };
      expect(await records.find(id)).toMatchObject({ ...kept, ...failed });
      const received = await records.receive(usedNow(address), await stage('abcd'));
      expect(received).toMatchObject({ ...later, id, size: 4, index: true, status: 'indexing_pending' });
      expect(received).not.toHaveProperty('failedStatusReason');
      expect(await records.find(id)).toEqual(received);
    });

    it('each of several uploads brings its own description, whichever arrives last', async () => {
      const { records, stage } = await botOf(await open());
      const announce = async (of: string, file: Partial<FileToUpload> = {}) => {
        const address = addressOf();
        await recordOf(records.announce(fileOf('a.md', { tags: { of }, ...file }), { address }));
        return address;
      };
      const first = await announce('first', { accessPolicies: ['public_content'] });
      const second = await announce('second', { expiresAt: FUTURE });
      expect(await records.find('a.md')).toMatchObject({ tags: { of: 'second' }, accessPolicies: [] });
      const received = await records.receive(usedNow(second), await stage('2'));
      expect(received).toMatchObject({ tags: { of: 'second' }, accessPolicies: [], expiresAt: FUTURE });
      const last = await records.receive(usedNow(first), await stage('1'));
      expect(last).toMatchObject({ tags: { of: 'first' }, accessPolicies: ['public_content'] });
      expect(last).not.toHaveProperty('expiresAt');
    });

    it('a patch changes the file and what is announced for it, but nothing that is announced later', async () => {
      const { records, stage } = await botOf(await open());
      const { id } = await recordOf(records.upsert(fileOf('a.md', { tags: { of: 'a' } }), await stage('a')));
      const [before, after] = [addressOf(), addressOf()];
      const announced = { tags: { of: 'b', gone: '1' }, metadata: { x: 1 }, expiresAt: FUTURE };
      await recordOf(records.announce(fileOf('a.md', announced), { address: before }));
      const patched = await records.patch(id, {
        ...{ tags: { gone: null, new: '2' }, metadata: { y: 2 } },
        ...{ accessPolicies: ['integrations'], expiresAt: null },
      });
      expect(patched).toMatchObject({ tags: { of: 'a', new: '2' }, metadata: { y: 2 } });
      await recordOf(records.announce(fileOf('a.md', { tags: { of: 'c' } }), { address: after }));
      const received = await records.receive(usedNow(before), await stage('b'));
      expect(received).toMatchObject({ metadata: { x: 1, y: 2 }, accessPolicies: ['integrations'] });
      expect(received.tags).toEqual({ of: 'b', new: '2' });
      expect(received).not.toHaveProperty('expiresAt');
      const last = await records.receive(usedNow(after), await stage('c'));
      expect(last).toMatchObject({ tags: { of: 'c' }, metadata: {}, accessPolicies: [] });
      expect(last.tags).toEqual({ of: 'c' });
    });

    it('a change that an announced upload cannot have closes its address, and is made', async () => {
      const ports = await open();
      const { records, stage } = await botOf(ports);
      const { id } = await recordOf(records.upsert(fileOf('a.md'), await stage('a')));
      const [full, free] = [addressOf(), addressOf()];
      const tags = Object.fromEntries(Array.from({ length: LIMITS.tags.value }, (_, i) => [`tag ${i}`, 'x']));
      await recordOf(records.announce(fileOf('a.md', { tags }), { address: full }));
      await recordOf(records.announce(fileOf('a.md'), { address: free }));
      const patched = await records.patch(id, { tags: { new: '1' }, metadata: {} });
      expect(patched.tags).toEqual({ new: '1' });
      expect(await ports.uploads.find(usedNow(full))).toBeUndefined();
      await expect(records.receive(usedNow(full), await stage('b'))).rejects.toMatchObject({ code: 'UPLOAD_MISSING' });
      expect((await records.receive(usedNow(free), await stage('c'))).tags).toEqual({ new: '1' });
    });

    it('calls that announce a file at once get the same id, or with isNew all but one are refused', async () => {
      const { records } = await botOf(await open());
      const same = await Promise.all(Array.from({ length: 4 }, () => recordOf(records.announce(fileOf('a.md')))));
      expect(new Set(same.map(({ id }) => id)).size).toBe(1);
      const made = await Promise.all(
        Array.from({ length: 4 }, () => records.announce(fileOf('b.md'), { isNew: true })),
      );
      expect(made.filter((one) => one === 'taken')).toHaveLength(3);
    });

    it('a file that has expired is absent, but is listed to be removed', async () => {
      const { records } = await botOf(await open());
      const gone = await recordOf(records.announce(fileOf('gone.md', { expiresAt: PAST })));
      await recordOf(records.announce(fileOf('kept.md', { expiresAt: NEVER })));
      expect(await records.find('gone.md')).toBeUndefined();
      expect(await records.find(gone.id)).toBeUndefined();
      expect(await records.announce(fileOf('gone.md'))).toBe('expired');
      const { id, key, version } = gone;
      expect(await records.expired()).toEqual([{ id, key, version }]);
      expect((await pageOf(records)).map((file) => file.key)).toEqual(['kept.md']);
    });

    it('a failure is recorded unless the file has changed meanwhile', async () => {
      const { records } = await botOf(await open());
      const file = await recordOf(records.announce(fileOf('a.md')));
      const failure = { status: 'upload_failed', reason: 'It did not arrive' } as const;
      expect(await records.fail({ ...file, version: file.version - 1 }, failure)).toBe(false);
      expect(await records.fail(file, failure)).toBe(true);
      const failed = await records.find(file.id);
      expect(failed).toMatchObject({ status: 'upload_failed', failedStatusReason: 'It did not arrive' });
      expect(await records.fail(file, failure)).toBe(false);
      const again = await recordOf(records.announce(fileOf('a.md')));
      expect(again).not.toHaveProperty('failedStatusReason');
    });

    it('a file whose upload has failed has the size of its former content, or none', async () => {
      const { records } = await botOf(await open());
      const failure = { status: 'upload_failed', reason: 'It did not arrive' } as const;
      const file = await recordOf(records.announce(fileOf('a.md')));
      await records.fail(file, failure);
      expect(await records.find(file.id)).toMatchObject({ status: 'upload_failed', size: null });
      expect(await pageOf(records)).toMatchObject([{ key: 'a.md', size: null }]);
    });

    it('a patch changes tags and metadata one by one, and is limited', async () => {
      const { records } = await botOf(await open());
      const file = await recordOf(
        records.announce(fileOf('a.md', { tags: { kept: '1', gone: '2' }, metadata: { x: 1, y: 2 } })),
      );
      const patched = await records.patch(file.id, {
        ...{ tags: { gone: null, new: '3' }, metadata: { x: null, z: 3 } },
        ...{ accessPolicies: ['integrations'], expiresAt: FUTURE },
      });
      expect(patched).toMatchObject({ tags: { kept: '1', new: '3' }, metadata: { y: 2, z: 3 }, expiresAt: FUTURE });
      expect(patched.accessPolicies).toEqual(['integrations']);
      expect(patched.version).toBeGreaterThan(file.version);
      const none = { tags: {}, metadata: {} };
      const same = await records.patch(file.id, none);
      expect(same).toMatchObject({ tags: patched.tags, metadata: patched.metadata, expiresAt: FUTURE });
      expect(await records.patch(file.id, { ...none, expiresAt: null })).not.toHaveProperty('expiresAt');
      await expect(records.patch('file_none', none)).rejects.toMatchObject({ code: 'FILE_MISSING' });
      const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`tag ${i}`, 'x']));
      const refused = records.patch(file.id, { ...none, tags: many });
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    });

    it('pages list every file that passes the filter once, by any field, in either order', async () => {
      const { records, stage } = await botOf(await open());
      const sizes = [3, 1, 2, 2];
      for (const [i, size] of sizes.entries()) {
        const tags = i % 2 === 0 ? { parity: 'even' } : {};
        await recordOf(records.announce(fileOf(`${'bdac'.charAt(i)}.md`, { size, tags })));
      }
      const received = await recordOf(records.upsert(fileOf('e.md', { size: 9 }), await stage('123')));
      const order = { createdAt: 'bdace', updatedAt: 'bdace', key: 'abcde' } as const;
      for (const direction of ['asc', 'desc'] as const) {
        for (const [sortField, keys] of Object.entries(order) as [keyof typeof order, string][]) {
          const found = await pageOf(records, { sortField, direction });
          expect(found.map(({ key }) => key.charAt(0))).toEqual(inOrder([...keys], direction));
        }
        const bySize = await pageOf(records, { sortField: 'size', direction });
        // The sizes that are announced do not count.
        expect(bySize.map(({ size }) => size)).toEqual(inOrder([null, null, null, null, 3], direction));
        expect(bySize.map(({ key }) => key)).toHaveLength(5);
        const byStatus = await pageOf(records, { sortField: 'status', direction });
        expect(byStatus.at(direction === 'asc' ? 0 : -1)).toEqual(received);
      }
      const [b] = await pageOf(records);
      const among = async (filter: Partial<Parameters<FileRecords['page']>[0]>) =>
        (await pageOf(records, {}, filter)).map(({ key }) => key);
      expect(await among({ tags: { parity: 'even' } })).toEqual(['b.md', 'a.md']);
      expect(await among({ tags: { parity: { not: ['even'] } } })).toEqual(['d.md', 'c.md', 'e.md']);
      expect(await among({ ids: [b?.id ?? '', 'file_none'] })).toEqual(['b.md']);
      expect(await among({ ids: [] })).toEqual([]);
      expect(await among({ indexed: true })).toEqual([]);
      expect(await among({ indexed: false })).toHaveLength(5);
    });

    it('lists files in the order of the bytes of their keys', async () => {
      const { records } = await botOf(await open());
      const inOrder = ['z.md', 'é.md', '（1）.md', '😀.md'];
      for (const key of ['😀.md', '（1）.md', 'é.md', 'z.md']) await records.announce(fileOf(key));
      expect((await pageOf(records, { sortField: 'key' })).map(({ key }) => key)).toEqual(inOrder);
    });

    it('lists the names of tags and the values of one, in ascending order', async () => {
      const { records } = await botOf(await open());
      await records.announce(fileOf('a.md', { tags: { b: '1', a: 'x' } }));
      await records.announce(fileOf('b.md', { tags: { b: '2', c: 'y' } }));
      await records.announce(fileOf('c.md', { tags: { d: '2' }, expiresAt: PAST }));
      expect(await records.tags({ limit: 10 })).toEqual(['a', 'b', 'c']);
      expect(await records.tags({ limit: 2, after: 'a' })).toEqual(['b', 'c']);
      expect(await records.tags({ limit: 1 })).toEqual(['a']);
      expect(await records.tags({ tag: 'b', limit: 10 })).toEqual(['1', '2']);
      expect(await records.tags({ tag: 'b', after: '1', limit: 10 })).toEqual(['2']);
    });

    it('a deleted bot takes no more files', async () => {
      const ports = await open();
      const { records, bot } = await botOf(ports);
      await ports.accounts.bots.remove(bot);
      await expect(records.announce(fileOf('a.md'))).rejects.toMatchObject({ code: 'BOT_MISSING' });
    });

    it('an upload address accepts one upload of what was announced, until it expires', async () => {
      const ports = await open();
      const { records, bot, stage } = await botOf(ports);
      const announced = fileOf('a.md', { size: 5, contentType: 'text/html', tags: { a: '1' } });
      const [address, late] = [addressOf(), addressOf(PAST)];
      await recordOf(records.announce(announced, { address: late }));
      const { id, version } = await recordOf(records.announce(announced, { address }));
      expect(await ports.uploads.find(usedNow(address))).toEqual({ ...announced, botId: bot, id, version });
      expect(await ports.uploads.find(usedNow(late))).toBeUndefined();
      const missing = { code: 'UPLOAD_MISSING' };
      await expect(records.receive(usedNow(late), await stage('abcde'))).rejects.toMatchObject(missing);
      await expect(records.receive(usedNow(addressOf()), await stage('abcde'))).rejects.toMatchObject(missing);
      const before = new Date(Date.now() - 3_600_000).toISOString();
      expect(await ports.uploads.find({ hash: late.hash, since: before })).toMatchObject({ id });
      await records.receive({ hash: late.hash, since: before }, await stage('abcde'));
      await records.receive(usedNow(address), await stage('abcde'));
      for (const { hash } of [address, late]) {
        expect(await ports.uploads.find({ hash, since: before })).toBeUndefined();
        const again = records.receive({ hash, since: before }, await stage('abcde'));
        await expect(again).rejects.toMatchObject(missing);
      }
    });

    it('an upload that cannot be stored leaves its address open', async () => {
      const ports = await open();
      const { records, stage } = await botOf(ports);
      const address = addressOf();
      await recordOf(records.announce(fileOf('a.md'), { address }));
      const gone = await stage('a');
      await ports.contents.discard(gone);
      await expect(records.receive(usedNow(address), gone)).rejects.toMatchObject({ code: 'UPLOAD_MISSING' });
      expect(await records.receive(usedNow(address), await stage('a'))).toMatchObject({ size: 1 });
    });

    it('an upload address accepts nothing once what was announced with it, or its file, has expired', async () => {
      const ports = await open();
      const { records, stage } = await botOf(ports);
      const { id } = await recordOf(records.upsert(fileOf('a.md'), await stage('a')));
      const [expired, valid] = [addressOf(), addressOf()];
      await recordOf(records.announce(fileOf('a.md', { expiresAt: PAST }), { address: expired }));
      await recordOf(records.announce(fileOf('a.md'), { address: valid }));
      expect(await ports.uploads.find(usedNow(expired))).toBeUndefined();
      expect(await ports.uploads.find(usedNow(valid))).toMatchObject({ id });
      const missing = { code: 'UPLOAD_MISSING' };
      await expect(records.receive(usedNow(expired), await stage('b'))).rejects.toMatchObject(missing);
      await recordOf(records.upsert(fileOf('a.md', { expiresAt: PAST }), await stage('c')));
      expect(await ports.uploads.find(usedNow(valid))).toBeUndefined();
      await expect(records.receive(usedNow(valid), await stage('d'))).rejects.toMatchObject(missing);
    });

    it('a file has a limited number of open addresses, and one more closes the oldest', async () => {
      const ports = await open();
      const { records } = await botOf(ports);
      const since = Date.parse(FUTURE);
      const addresses = Array.from({ length: OPEN_ADDRESSES + 1 }, (_, i) =>
        addressOf(new Date(since + i).toISOString()),
      );
      for (const address of addresses) await recordOf(records.announce(fileOf('a.md'), { address }));
      const found = await Promise.all(addresses.map((address) => ports.uploads.find(usedNow(address))));
      expect(found.map((one) => one !== undefined)).toEqual(addresses.map((_, i) => i > 0));
    });
  });
}

/** A new upload address. */
function addressOf(expiresAt = FUTURE): UploadAddress {
  return { hash: randomUUID(), expiresAt };
}

/** An address, for an upload that begins now. */
function usedNow({ hash }: UploadAddress): UsedAddress {
  return { hash, since: new Date().toISOString() };
}

/** A new bot, with the records of its files. */
export async function botOf(ports: FilePorts) {
  const { accounts, contents } = ports;
  const { id: workspace } = await accounts.workspaces.create(`workspace ${randomUUID()}`);
  const { id: bot } = await accounts.bots.create({ name: undefined, tags: {}, workspace });
  const stage = (text: string) => contents.stage([Buffer.from(text)], bot);
  return { bot, stage, records: await ports.fileRecords(bot) };
}

/** A file as it is announced. */
export function fileOf(key: string, file: Partial<FileToUpload> = {}): FileToUpload {
  const some = { size: 1, contentType: 'text/markdown', tags: {}, metadata: {}, index: true };
  return { key, ...some, accessPolicies: [], expiresAt: undefined, ...file };
}

/** The record that an upsert returns. Throws if it was refused. */
export async function recordOf(upsert: ReturnType<FileRecords['upsert']>): Promise<FileRecord> {
  const record = await upsert;
  if (typeof record === 'string') throw new Error(`The file was refused: ${record}`);
  return record;
}

/** The records of all pages of two. */
function pageOf(
  records: FileRecords,
  {
    sortField = 'createdAt',
    direction = 'asc',
  }: Partial<Pick<Parameters<FileRecords['page']>[1], 'sortField' | 'direction'>> = {},
  filter: Partial<Parameters<FileRecords['page']>[0]> = {},
): Promise<FileRecord[]> {
  const all = { tags: {}, ids: undefined, indexed: undefined, ...filter };
  return allOf((page) => records.page(all, { ...page, size: 2, sortField, direction }));
}
