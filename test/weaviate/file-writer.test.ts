import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { stemOf } from '#src/sqlite/postings/stems.js';
import type { FileHead } from '#src/weaviate/files/file-head.js';
import { textOfHead } from '#src/weaviate/files/head-text.js';
import { ABANDONED_AFTER, Writes } from '#src/weaviate/files/writes.js';
import { FileWriter, type FileWriterParts, type NewVersion } from '#src/weaviate/passages/file-writer.js';
import { writerParts } from '#src/weaviate/passages/open-passage-store.js';
import { PASSAGES } from '#src/weaviate/schema/collections.js';
import { createBotTenants, createTenant, passagesTenant } from '#src/weaviate/schema/tenants.js';
import { at, fileToPut } from '../support/file-to-put.js';
import { until } from '../support/until.js';
import { describeWithCluster } from './with-cluster.js';

describeWithCluster((cluster) => {
  async function partsOfNewBot(): Promise<FileWriterParts & { readonly bot: string }> {
    const [bot, fingerprint] = [randomUUID(), 'angles'];
    await createBotTenants(cluster(), bot);
    await createTenant(cluster(), PASSAGES, passagesTenant(bot, fingerprint));
    return { bot, ...writerParts(cluster(), { bot, fingerprint, stem: stemOf }) };
  }

  /** A version of a file whose lines are its passages. */
  function versionOf(before: FileHead | undefined, key: string, lines: readonly string[]): NewVersion {
    const { text, passages, title: _, ...described } = fileToPut(key, lines);
    const now = new Date().toISOString();
    const head: NewVersion['head'] = {
      ...described,
      ...{ id: before?.id ?? `file_${key}`, title: null, createdAt: now, updatedAt: now, content: null },
      ...{ status: 'indexing_completed' as const, index: true, accessPolicies: [] },
    };
    return { before, head, text, passages, vectorOf: () => at(10) };
  }

  it('a file that was moved and then changed has one head, though the process that moved it has died', async () => {
    const parts = await partsOfNewBot();
    const writer = new FileWriter(parts);
    await writer.put(versionOf(undefined, 'old.md', ['10']));
    const former = (await parts.heads.find('old.md')) as FileHead;
    const dies = { add: () => Promise.reject(new Error('The process has died.')) };
    const dying = new FileWriter({ ...parts, settled: dies as unknown as FileWriterParts['settled'] });
    await dying.rewrite(former, { ...former, key: 'new.md' });
    const moved = await parts.heads.find('new.md');
    await writer.put(versionOf(moved, 'new.md', ['20', '30']));
    await writer.sweep(Date.now() + ABANDONED_AFTER + 1);
    const heads = await parts.heads.all();
    expect(heads.map(({ key }) => key)).toEqual(['new.md']);
    expect(await textOfHead(heads[0] as FileHead, parts)).toBe('20\n30');
  });

  it('a write that takes longer than the time after which writes count as abandoned is announced again', async () => {
    const { bot, ...parts } = await partsOfNewBot();
    const writes = new Writes(cluster(), bot, { abandonedAfter: 2000 });
    const slow: Pick<FileWriterParts['objects'], 'insert'> = {
      async insert(passages) {
        const [begun] = await writes.list();
        await until(async () => Number((await writes.list())[0]?.since) > Number(begun?.since) + 1000);
        await parts.objects.insert(passages);
      },
    };
    const writer = new FileWriter({ ...parts, objects: slow as FileWriterParts['objects'], writes });
    expect(await writer.put(versionOf(undefined, 'a.md', ['10']))).toBe(true);
    expect(await writes.list()).toEqual([]);
  });
});
