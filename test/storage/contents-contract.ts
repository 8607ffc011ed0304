import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ByteSource, type FileContent, PART } from '#src/storage/contents.js';
import { botOf, type FilePorts, fileOf, recordOf } from './file-records-contract.js';

/** What holds for the contents of files in every storage. */
export function describeContents(name: string, open: () => Promise<FilePorts>): void {
  describe(`contents: ${name}`, () => {
    it.each([0, 1, PART, PART + 1, 3 * PART + 7])('%i bytes are read as they were stored', async (size) => {
      const { ports, bytes, content } = await stored(await open(), [randomBytes(size)]);
      expect(ports).toBeDefined();
      expect(content).toMatchObject({ size, isText: false });
      expect(Buffer.compare(await bytesOf(content), bytes)).toBe(0);
    });

    it('a range is read without the bytes around it', async () => {
      const { bytes, content } = await stored(await open(), [randomBytes(2 * PART), randomBytes(PART)]);
      for (const [start, end] of [
        ...[
          [0, 1],
          [PART - 1, PART + 1],
          [PART, 2 * PART],
          [10, 3 * PART - 10],
          [5, 5],
        ],
      ] as [number, number][]) {
        const read = await bytesOf(content, { start, end });
        expect(Buffer.compare(read, bytes.subarray(start, end))).toBe(0);
      }
    });

    it('content knows whether all of it is UTF-8, even if parts cut a character', async () => {
      const text = Buffer.from(`${'a'.repeat(PART - 1)}é`);
      expect((await stored(await open(), [text])).content.isUtf8).toBe(true);
      expect((await stored(await open(), [text.subarray(0, PART)])).content.isUtf8).toBe(false);
    });

    it('new content of a file has a new version; the former content is gone, unless it is small', async () => {
      const { ports, records, bot, content } = await stored(await open(), [randomBytes(3 * PART)]);
      const small = await ports.contents.stage([Buffer.from('small')], bot);
      const { id } = await recordOf(records.upsert(fileOf('a.md'), small));
      await expect(bytesOf(content, { start: PART, end: 2 * PART })).rejects.toMatchObject({ code: 'FILE_MISSING' });
      const second = (await records.content(id)) as FileContent;
      expect(second.version).not.toBe(content.version);
      await recordOf(records.upsert(fileOf('a.md'), await ports.contents.stage([], bot)));
      expect((await bytesOf(second)).toString()).toBe('small');
    });

    it('an error of a source is thrown, and discarded content can belong to no file', async () => {
      const ports = await open();
      const { records, bot } = await botOf(ports);
      const broken = async function* () {
        yield randomBytes(PART + 1);
        throw new Error('It broke');
      };
      await expect(ports.contents.stage(broken(), bot)).rejects.toThrow('It broke');
      const content = await ports.contents.stage([Buffer.from('abc')], bot);
      await ports.contents.discard(content);
      await expect(records.upsert(fileOf('a.md'), content)).rejects.toMatchObject({ code: 'UPLOAD_MISSING' });
    });

    it('staging ends with its signal', async () => {
      const ports = await open();
      const { bot } = await botOf(ports);
      const stop = new AbortController();
      const stopped = async function* () {
        yield randomBytes(PART);
        stop.abort();
        yield randomBytes(PART);
      };
      const { signal } = stop;
      await expect(ports.contents.stage(stopped(), bot, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    });

    it('a file is read with the content of the same state, unless its record is not wanted', async () => {
      const { records, stage } = await botOf(await open());
      const { id } = await recordOf(records.announce(fileOf('a.md')));
      expect(await records.withContent('a.md')).toEqual({ record: await records.find(id), content: undefined });
      const access = { accessPolicies: ['public_content'] } as const;
      const record = await recordOf(records.upsert(fileOf('a.md', access), await stage('abc')));
      const found = await records.withContent(id, ({ accessPolicies }) => accessPolicies.length > 0);
      expect(found?.record).toEqual(record);
      expect((await bytesOf(found?.content as FileContent)).toString()).toBe('abc');
      expect(await records.withContent(id, ({ accessPolicies }) => accessPolicies.length === 0)).toBeUndefined();
      expect(await records.withContent('b.md')).toBeUndefined();
    });

    it('discarding content and removing abandoned content leave the content of files alone', async () => {
      const ports = await open();
      const { records, stage } = await botOf(ports);
      const content = await stage('abc');
      const { id } = await recordOf(records.upsert(fileOf('a.md'), content));
      const waiting = await stage('def');
      await ports.contents.discard(content);
      await ports.contents.removeAbandoned();
      expect((await bytesOf((await records.content(id)) as FileContent)).toString()).toBe('abc');
      expect(await records.upsert(fileOf('b.md'), waiting)).toMatchObject({ key: 'b.md', size: 3 });
    });
  });
}

/** A file with a content. */
async function stored(ports: FilePorts, parts: readonly Uint8Array[]) {
  const { records, bot } = await botOf(ports);
  const staged = await ports.contents.stage(parts as ByteSource, bot);
  const { id } = await recordOf(records.upsert(fileOf('a.md'), staged));
  const content = (await records.content(id)) as FileContent;
  return { ports, records, bot, content, bytes: Buffer.concat(parts) };
}

async function bytesOf(content: FileContent, range?: { start: number; end: number }): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of content.read(range)) parts.push(part);
  return Buffer.concat(parts);
}
