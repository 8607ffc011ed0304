import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { IndexFolderResult, IndexProgress, SearchEngine } from 'waymark';
import { recordingEmbedder } from '../support/embedder.js';
import { engineOf } from '../support/engine.js';
import { folderOf, writeFiles } from '../support/folder.js';
import { seenAsNow } from '../support/seen-as-now.js';

const NOTHING = { added: 0, updated: 0, moved: 0, removed: 0, unchanged: 0, failed: [], warnings: [] };

/** An engine, and a list of all texts that it embeds. */
async function recordingEngine(): Promise<{ engine: SearchEngine; embedded: string[] }> {
  const { embedder, embedded } = recordingEmbedder();
  return { engine: await engineOf({ model: embedder }), embedded };
}

/** Key and content of the best hit. */
async function best(engine: SearchEngine, query: string): Promise<string | undefined> {
  const [hit] = await engine.search(query, { limit: 1, minScore: 0.5 });
  return hit && `${hit.file.key}: ${hit.passage.content}`;
}

async function keysOf(engine: SearchEngine): Promise<string[]> {
  const hits = await engine.search('anything', { limit: 1000 });
  return [...new Set(hits.map(({ file }) => file.key))].sort();
}

/** Sets modification times to long ago, so that the files were surely read after their last change. */
function age(folder: string, ...names: readonly string[]): void {
  const date = new Date('2024-02-03T04:05:06Z');
  for (const name of names) utimesSync(path.join(folder, name), date, date);
}

function counted(counts: Partial<IndexFolderResult>): IndexFolderResult {
  return { ...NOTHING, ...counts };
}

describe('indexFolder counts', () => {
  it('files that are new, changed, moved, removed and unchanged', async () => {
    const folder = folderOf({ 'a.md': 'yak', 'b.md': 'wolf', 'c.md': 'viper', 'd.md': 'tapir', 'e.bin': 'no' });
    const engine = await engineOf();
    expect(await engine.indexFolder(folder)).toEqual(counted({ added: 4 }));
    expect(await engine.indexFolder(folder)).toEqual(counted({ unchanged: 4 }));
    writeFiles(folder, { 'b.md': 'stork', 'new.md': 'rhino' });
    mkdirSync(path.join(folder, 'sub'));
    renameSync(path.join(folder, 'c.md'), path.join(folder, 'sub', 'moved.md'));
    unlinkSync(path.join(folder, 'd.md'));
    expect(await engine.indexFolder(folder)).toEqual(
      counted({ added: 1, updated: 1, moved: 1, removed: 1, unchanged: 1 }),
    );
    expect(await keysOf(engine)).toEqual(['a.md', 'b.md', 'new.md', 'sub/moved.md']);
    expect([await best(engine, 'stork'), await best(engine, 'wolf'), await best(engine, 'tapir')]).toEqual([
      'b.md: stork',
      undefined,
      undefined,
    ]);
  });

  it('nothing in a folder without markdown, and all files as removed once it is empty', async () => {
    const folder = folderOf({ 'a.bin': 'text' });
    const engine = await engineOf();
    expect(await engine.indexFolder(folder)).toEqual(NOTHING);
    writeFiles(folder, { 'a.md': 'text' });
    await engine.indexFolder(folder);
    unlinkSync(path.join(folder, 'a.md'));
    expect(await engine.indexFolder(folder)).toEqual(counted({ removed: 1 }));
    expect((await engine.status()).passages).toBe(0);
  });

  it('newly ignored files as removed', async () => {
    const folder = folderOf({ 'a.md': 'yak', 'b.md': 'wolf' });
    const engine = await engineOf();
    await engine.indexFolder(folder);
    expect(await engine.indexFolder(folder, { ignore: ['b.md'] })).toEqual(counted({ unchanged: 1, removed: 1 }));
  });

  it('files with something that was not understood, under warnings', async () => {
    const folder = folderOf({ 'a.md': '---\ntitle: [\n---\n\nyak', 'b.md': 'wolf' });
    const engine = await engineOf();
    const { added, warnings } = await engine.indexFolder(folder);
    expect([added, warnings]).toEqual([2, [{ key: 'a.md', reason: expect.stringContaining('front matter') }]]);
    expect((await engine.status()).warnings).toEqual(warnings);
    expect((await engine.indexFolder(folder)).warnings).toEqual([]);
  });
});

describe('an unchanged file', () => {
  it('is one that was touched: same bytes, another modification time', async () => {
    const folder = folderOf({ 'a.md': 'zebra' });
    const { engine, embedded } = await recordingEngine();
    await engine.indexFolder(folder);
    age(folder, 'a.md');
    expect(await engine.indexFolder(folder)).toEqual(counted({ unchanged: 1 }));
    expect(embedded).toEqual(['zebra']);
  });

  it('is not one that was edited to the same size and got its modification time back', async () => {
    const folder = folderOf({ 'a.md': 'zebra' });
    age(folder, 'a.md');
    const engine = await engineOf();
    await engine.indexFolder(folder);
    writeFiles(folder, { 'a.md': 'tapir' });
    age(folder, 'a.md');
    expect(await engine.indexFolder(folder)).toEqual(counted({ updated: 1 }));
    expect(await best(engine, 'tapir')).toBe('a.md: tapir');
  });

  it('is not one that was replaced by another of the same size and modification time', async () => {
    const folder = folderOf({ 'a.md': 'zebra', 'other.bin': 'tapir' });
    age(folder, 'a.md', 'other.bin');
    const engine = await engineOf();
    await engine.indexFolder(folder);
    renameSync(path.join(folder, 'other.bin'), path.join(folder, 'a.md'));
    expect(await engine.indexFolder(folder)).toEqual(counted({ updated: 1 }));
  });

  it('is one whose permissions changed: it is compared, not parsed again', async () => {
    const folder = folderOf({ 'a.md': 'zebra' });
    const { engine, embedded } = await recordingEngine();
    await engine.indexFolder(folder);
    const [before] = (await engine.search('zebra')).map(({ file }) => file.updatedAt);
    chmodSync(path.join(folder, 'a.md'), 0o600);
    expect(await engine.indexFolder(folder)).toEqual(counted({ unchanged: 1 }));
    expect([embedded, (await engine.search('zebra')).map(({ file }) => file.updatedAt)]).toEqual([['zebra'], [before]]);
  });

  it('is assumed if its size, times and inode are unchanged, unless `verify` compares its bytes', async () => {
    const folder = folderOf({ 'a.md': 'zebra' });
    const database = path.join(folderOf(), 'waymark.db');
    const engine = await engineOf({ database });
    await engine.indexFolder(folder);
    writeFiles(folder, { 'a.md': 'tapir' });
    seenAsNow(database, path.join(folder, 'a.md'));
    expect(await engine.indexFolder(folder)).toEqual(counted({ unchanged: 1 }));
    expect(await best(engine, 'zebra')).toBe('a.md: zebra');
    expect(await engine.indexFolder(folder, { verify: true })).toEqual(counted({ updated: 1 }));
    expect(await best(engine, 'tapir')).toBe('a.md: tapir');
    expect(await engine.indexFolder(folder, { verify: true })).toEqual(counted({ unchanged: 1 }));
  });

  it('is not one that was edited within a clock tick, to the same size and modification time', async () => {
    const folder = folderOf({ 'a.md': 'zebra' });
    const file = path.join(folder, 'a.md');
    // The file is read before this time, so it may change again without a new modification time.
    const soon = new Date(Date.now() + 3_600_000);
    utimesSync(file, soon, soon);
    const engine = await engineOf();
    await engine.indexFolder(folder);
    const { mtimeMs, size } = statSync(file);
    writeFiles(folder, { 'a.md': 'tapir' });
    utimesSync(file, soon, soon);
    expect(statSync(file)).toMatchObject({ mtimeMs, size });
    expect(await engine.indexFolder(folder)).toEqual(counted({ updated: 1 }));
    expect(await best(engine, 'tapir')).toBe('a.md: tapir');
  });
});

describe('a moved file', () => {
  it('keeps its id and its passages, and is not embedded again', async () => {
    const folder = folderOf({ 'a.md': '# Yak\n\nGrunts.' });
    const { engine, embedded } = await recordingEngine();
    await engine.indexFolder(folder);
    const [before] = await engine.search('yak grunts');
    mkdirSync(path.join(folder, 'deep', 'er'), { recursive: true });
    renameSync(path.join(folder, 'a.md'), path.join(folder, 'deep', 'er', 'b.md'));
    embedded.length = 0;
    expect(await engine.indexFolder(folder)).toEqual(counted({ moved: 1 }));
    const [after] = await engine.search('yak grunts');
    expect(after).toEqual({ ...before, file: { ...before?.file, key: 'deep/er/b.md' } });
    expect(embedded).toEqual([]);
    expect(await engine.indexFolder(folder)).toEqual(counted({ unchanged: 1 }));
  });

  it('is one of several with the same content: each is moved once', async () => {
    const folder = folderOf({ 'a.md': 'yak', 'b.md': 'yak', 'c.md': 'yak' });
    const engine = await engineOf();
    await engine.indexFolder(folder);
    for (const name of ['a', 'b']) renameSync(path.join(folder, `${name}.md`), path.join(folder, `${name}2.md`));
    unlinkSync(path.join(folder, 'c.md'));
    expect(await engine.indexFolder(folder)).toEqual(counted({ moved: 2, removed: 1 }));
    expect(await keysOf(engine)).toEqual(['a2.md', 'b2.md']);
  });

  it('is read again if its extension names another type', async () => {
    const folder = folderOf({ 'a.md': 'yak' });
    const engine = await engineOf();
    await engine.indexFolder(folder);
    renameSync(path.join(folder, 'a.md'), path.join(folder, 'a.mdx'));
    expect(await engine.indexFolder(folder)).toEqual(counted({ added: 1, removed: 1 }));
    expect((await engine.search('yak'))[0]?.file.contentType).toBe('text/mdx');
  });
});

describe('a passage', () => {
  const paragraphs = Array.from({ length: 60 }, (_, i) => `## Part ${i}\n\n${`Text ${i} of this part. `.repeat(20)}`);

  it('that did not change is not embedded again when others in its file do', async () => {
    const folder = folderOf({ 'a.md': paragraphs.join('\n\n') });
    const { engine, embedded } = await recordingEngine();
    await engine.indexFolder(folder);
    expect(embedded.length).toBeGreaterThanOrEqual(60);
    embedded.length = 0;
    writeFiles(folder, { 'a.md': paragraphs.with(30, '## Part 30\n\nA zebra is here now.').join('\n\n') });
    expect(await engine.indexFolder(folder)).toEqual(counted({ updated: 1 }));
    expect(embedded).toEqual(['Part 30\nA zebra is here now.']);
  });

  it('that is in two files, or comes back, is embedded once', async () => {
    const folder = folderOf({ 'a.md': 'A zebra.', 'b.md': 'A zebra.' });
    const { engine, embedded } = await recordingEngine();
    await engine.indexFolder(folder);
    writeFiles(folder, { 'c.md': 'A zebra.' });
    await engine.indexFolder(folder);
    expect(embedded).toEqual(['A zebra.']);
  });

  it('that moves between files in one run is not embedded again', async () => {
    const folder = folderOf({ 'b.md': paragraphs.join('\n\n'), 'a.md': 'First.', 'c.md': 'Last.' });
    const { engine, embedded } = await recordingEngine();
    await engine.indexFolder(folder);
    embedded.length = 0;
    writeFiles(folder, {
      'a.md': paragraphs.slice(0, 20).join('\n\n'),
      'b.md': paragraphs.slice(20, 40).join('\n\n'),
      'c.md': paragraphs.slice(40).join('\n\n'),
    });
    expect(await engine.indexFolder(folder)).toEqual(counted({ updated: 3 }));
    expect(embedded).toEqual([]);
    expect(await best(engine, 'Text 55 of this part. '.repeat(20))).toMatch(/^c\.md: /);
  });
});

describe('a file that cannot be read', () => {
  it.each<[string, (file: string) => void, string]>([
    ['not UTF-8', (file) => writeFileSync(file, Buffer.from([0x61, 0xff, 0x62])), 'it is not UTF-8: save it as UTF-8'],
    [
      'a picture',
      (file) => writeFileSync(file, Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')),
      'it is binary, or UTF-16 without a byte order mark: save it as UTF-8 if it is text',
    ],
    [
      'UTF-16 that is cut off',
      (file) => writeFileSync(file, Buffer.from('\ufeffyak', 'utf16le').subarray(0, 5)),
      'it is damaged UTF-16: save it as UTF-8',
    ],
    [
      'UTF-32',
      (file) => writeFileSync(file, Buffer.from('\ufeff\0y\0a\0k\0', 'utf16le')),
      'it is UTF-32: save it as UTF-8',
    ],
    ['too large', (file) => truncateSync(file, (64 << 20) + 1), 'The text must have at most 64 MB: split it'],
  ])(
    '(%s) is reported by key and reason and stays as it was indexed; other files are indexed',
    async (_name, spoil, reason) => {
      const folder = folderOf({ 'a.md': 'zebra', 'sub/b.md': 'yak' });
      const engine = await engineOf();
      await engine.indexFolder(folder);
      spoil(path.join(folder, 'sub', 'b.md'));
      writeFiles(folder, { 'c.md': 'wolf' });
      const failed = [{ key: 'sub/b.md', reason }];
      expect(await engine.indexFolder(folder)).toEqual(counted({ added: 1, unchanged: 1, failed }));
      expect([await best(engine, 'yak'), await best(engine, 'wolf')]).toEqual(['sub/b.md: yak', 'c.md: wolf']);
      expect(await engine.indexFolder(folder)).toEqual(counted({ unchanged: 2, failed }));
      writeFiles(folder, { 'sub/b.md': 'yak and more' });
      expect(await engine.indexFolder(folder)).toEqual(counted({ updated: 1, unchanged: 2 }));
    },
  );

  it('is reported even if it was never indexed, and leaves the bot without a deployment date', async () => {
    const folder = folderOf({ 'a.md': Buffer.from([0xff]) });
    const engine = await engineOf();
    expect(await engine.indexFolder(folder)).toMatchObject({ added: 0, failed: [{ key: 'a.md' }] });
    expect((await engine.getBot()).bot.deployedAt).toBeUndefined();
    writeFiles(folder, { 'a.md': 'yak' });
    await engine.indexFolder(folder);
    expect((await engine.getBot()).bot.deployedAt).toMatch(/^\d{4}-/);
  });

  it('counts as removed, not unreadable, if a folder has taken its place', async () => {
    const folder = folderOf({ 'x.md': 'zebra' });
    const engine = await engineOf();
    await engine.indexFolder(folder);
    unlinkSync(path.join(folder, 'x.md'));
    writeFiles(folder, { 'x.md/y.md': 'yak' });
    expect(await engine.indexFolder(folder)).toEqual(counted({ added: 1, removed: 1 }));
    expect(await keysOf(engine)).toEqual(['x.md/y.md']);
  });

  it('accepts unusual but valid UTF-8 as it is', async () => {
    const folder = folderOf({
      'bom.md': '\ufeff# Ibex\r\n\r\nclimbs the rocks',
      'nul.md': 'okapi \0 okapi',
      'empty.md': '',
    });
    const engine = await engineOf();
    expect(await engine.indexFolder(folder)).toEqual(counted({ added: 3 }));
    expect([await best(engine, 'ibex climbs the rocks'), await best(engine, 'okapi')]).toEqual([
      'bom.md: climbs the rocks',
      'nul.md: okapi \0 okapi',
    ]);
  });
});

describe('a key that belongs to something else is reported under failed and left alone:', () => {
  it('that of a text given to indexFile', async () => {
    const folder = folderOf({ 'a.md': 'yak', 'b.md': 'wolf' });
    const engine = await engineOf();
    await engine.indexFile('a.md', 'zebra');
    const reason =
      'its key belongs to a file that came from no folder: remove that file first, or add this folder under a name';
    expect(await engine.indexFolder(folder)).toEqual(counted({ added: 1, failed: [{ key: 'a.md', reason }] }));
    expect([await best(engine, 'zebra'), await best(engine, 'yak')]).toEqual(['a.md: zebra', undefined]);
  });

  it('that of a file that another folder still has', async () => {
    const root = folderOf({ 'one/a.md': 'yak', 'two/a.md': 'wolf', 'two/b.md': 'viper' });
    const engine = await engineOf({ database: path.join(root, 'waymark.db') });
    await engine.indexFolder(path.join(root, 'one'));
    const failed = [
      {
        key: 'a.md',
        reason: `its key belongs to ${path.join(root, 'one/a.md')}: remove that file first, or add this folder under a name`,
      },
    ];
    expect(await engine.indexFolder(path.join(root, 'two'))).toEqual(counted({ added: 1, failed }));
    expect(await best(engine, 'yak')).toBe('a.md: yak');
    expect(await engine.indexFolder(path.join(root, 'one'))).toEqual(counted({ unchanged: 1 }));
  });
});

describe('folders', () => {
  it('in one bot leave each other alone', async () => {
    const root = folderOf({ 'one/a.md': 'yak', 'one/b.md': 'wolf', 'two/c.md': 'viper' });
    const engine = await engineOf({ database: path.join(root, 'waymark.db') });
    await engine.indexFolder(path.join(root, 'one'));
    expect(await engine.indexFolder(path.join(root, 'two'))).toEqual(counted({ added: 1 }));
    unlinkSync(path.join(root, 'one', 'a.md'));
    expect(await engine.indexFolder(path.join(root, 'one'))).toEqual(counted({ unchanged: 1, removed: 1 }));
    expect((await engine.status()).folders).toEqual([
      { folder: 'one', files: 1 },
      { folder: 'two', files: 1 },
    ]);
  });

  it('that were renamed are adopted: their files count as moved and are not embedded again', async () => {
    const root = folderOf({ 'old/a.md': 'yak', 'old/sub/b.md': 'wolf' });
    const { embedder, embedded } = recordingEmbedder();
    const engine = await engineOf({ database: path.join(root, 'waymark.db'), model: embedder });
    await engine.indexFolder(path.join(root, 'old'));
    embedded.length = 0;
    renameSync(path.join(root, 'old'), path.join(root, 'new'));
    expect(await engine.indexFolder(path.join(root, 'new'))).toEqual(counted({ moved: 2 }));
    expect([(await engine.status()).folders, embedded]).toEqual([[{ folder: 'new', files: 2 }], []]);
    expect(await engine.indexFolder(path.join(root, 'new'))).toEqual(counted({ unchanged: 2 }));
  });

  it('and database that are moved together stay unchanged', async () => {
    const root = folderOf({ 'here/docs/a.md': 'yak' });
    const first = await engineOf({ database: path.join(root, 'here', 'waymark.db') });
    await first.indexFolder(path.join(root, 'here', 'docs'));
    await first.close();
    renameSync(path.join(root, 'here'), path.join(root, 'there'));
    const again = await engineOf({ database: path.join(root, 'there', 'waymark.db') });
    expect(await again.indexFolder(path.join(root, 'there', 'docs'))).toEqual(counted({ unchanged: 1 }));
  });

  it('that do not exist change nothing', async () => {
    const folder = folderOf({ 'a.md': 'yak' });
    const engine = await engineOf();
    await engine.indexFolder(folder);
    rmSync(folder, { recursive: true });
    await expect(engine.indexFolder(folder)).rejects.toMatchObject({ code: 'FOLDER_MISSING' });
    expect(await best(engine, 'yak')).toBe('a.md: yak');
  });
});

describe('tags', () => {
  it('of the folder override those in front matter', async () => {
    const engine = await engineOf();
    await engine.indexFolder(folderOf({ 'a.md': '---\ntags:\n  lang: en\n  kind: note\n---\n\nyak' }), {
      tags: { lang: 'de', source: 'kb' },
    });
    expect((await engine.search('yak'))[0]?.file.tags).toEqual({ kind: 'note', lang: 'de', source: 'kb' });
  });

  it('that differ from before are stored, and nothing is embedded again', async () => {
    const folder = folderOf({ 'a.md': '# Yak\n\nGrunts.' });
    const { engine, embedded } = await recordingEngine();
    await engine.indexFolder(folder, { tags: { v: '1' } });
    const [before] = await engine.search('yak');
    expect(await engine.indexFolder(folder, { tags: { v: '2' } })).toEqual(counted({ updated: 1 }));
    const [after] = await engine.search('yak', { tags: { v: '2' } });
    expect([after?.file.id, after?.passage, after?.file.tags]).toEqual([before?.file.id, before?.passage, { v: '2' }]);
    expect(await engine.search('yak', { tags: { v: '1' } })).toEqual([]);
    expect(embedded).toHaveLength(1);
    expect(await engine.indexFolder(folder, { tags: { v: '2' } })).toEqual(counted({ unchanged: 1 }));
  });

  it.each([
    { what: 'without a name', tags: { '': 'v' }, message: /^tags must/ },
    {
      what: 'whose value is too long',
      tags: { k: 'v'.repeat(1001) },
      message: /^A tag's value must have at most 1000/,
    },
  ])('$what are refused', async ({ tags, message }) => {
    const engine = await engineOf();
    const indexing = engine.indexFolder(folderOf({ 'a.md': 'yak' }), { tags });
    await expect(indexing).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(message) });
    expect((await engine.status()).files).toBe(0);
  });
});

/** Forty files of three passages each. */
const FORTY = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [`${i}.md`, `# A ${i}\n\ntext ${i}\n\n## B ${i}\n\ntext\n\n## C ${i}\n\ntext`]),
);

describe('progress', () => {
  it('only increases, first over files, then over passages, to the end of both', async () => {
    const engine = await engineOf();
    const seen: IndexProgress[] = [];
    await engine.indexFolder(folderOf(FORTY), { onProgress: (progress) => seen.push(progress) });
    const phases = seen.map(({ phase }) => phase);
    const firstEmbed = phases.indexOf('embed');
    expect(phases).toEqual(seen.map((_, i) => (i < firstEmbed ? 'read' : 'embed')));
    expect(seen.slice(0, firstEmbed).map(({ files }) => files)).toEqual(
      Array.from({ length: 41 }, (_, done) => ({ done, total: 40 })),
    );
    const passages = seen.slice(firstEmbed).map(({ passages }) => passages.done);
    expect(passages).toEqual(passages.toSorted((a, b) => a - b));
    expect(seen.at(0)).toMatchObject({ rate: 0, remaining: undefined });
    expect(seen.at(-1)).toMatchObject({ passages: { done: 120, total: 120 }, files: { done: 40, total: 40 } });
    expect(seen.at(-1)?.remaining).toBe(0);
  });

  it('is reported even if there is nothing to do', async () => {
    const engine = await engineOf();
    const seen: IndexProgress[] = [];
    await engine.indexFolder(folderOf(), { onProgress: (progress) => seen.push(progress) });
    expect(seen.map(({ phase, files, passages }) => [phase, files.total, passages.total])).toEqual([
      ['read', 0, 0],
      ['embed', 0, 0],
    ]);
  });
});

describe('a signal', () => {
  it.each<[string, (progress: IndexProgress) => boolean]>([
    ['while files are read', ({ files }) => files.done === 10],
    ['while passages are embedded', ({ passages }) => passages.done >= 64],
    ['before anything', ({ files }) => files.done === 0],
  ])('stops the run %s with ABORTED; finished work stays, and the next run continues', async (_name, when) => {
    const folder = folderOf(FORTY);
    const { engine, embedded } = await recordingEngine();
    const stop = new AbortController();
    const seen: IndexProgress[] = [];
    const onProgress = (progress: IndexProgress) => {
      seen.push(progress);
      if (when(progress)) stop.abort(new Error('interrupted'));
    };
    await expect(engine.indexFolder(folder, { onProgress, signal: stop.signal })).rejects.toMatchObject({
      code: 'ABORTED',
      cause: new Error('interrupted'),
    });
    const { files, embedded: before } = await engine.status();
    expect(files).toBe(seen.at(-1)?.files.done);
    expect(files === 40 ? before >= 64 && before < 120 : before === 0).toBe(true);
    embedded.length = 0;
    expect(await engine.indexFolder(folder)).toEqual(counted({ added: 40 - files, unchanged: files }));
    expect([embedded.length, (await engine.status()).embedded]).toEqual([120 - before, 120]);
  });

  it('that has fired already stops the run before it starts', async () => {
    const engine = await engineOf();
    const indexing = engine.indexFolder(folderOf(FORTY), { signal: AbortSignal.abort() });
    await expect(indexing).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await engine.status()).files).toBe(0);
  });

  it('does nothing if it fires after the end', async () => {
    const stop = new AbortController();
    const engine = await engineOf();
    await engine.indexFolder(folderOf({ 'a.md': 'yak' }), { signal: stop.signal });
    stop.abort();
    expect(await best(engine, 'yak')).toBe('a.md: yak');
  });
});

describe('runs', () => {
  it('of one engine take turns', async () => {
    const folder = folderOf(FORTY);
    const { engine, embedded } = await recordingEngine();
    const results = await Promise.all([engine.indexFolder(folder), engine.indexFolder(folder)]);
    expect(results).toEqual([counted({ added: 40 }), counted({ unchanged: 40 })]);
    expect(embedded).toHaveLength(120);
  });

  it('that fail do not block the next one', async () => {
    const engine = await engineOf();
    const results = await Promise.allSettled([
      engine.indexFolder('/nowhere/at/all'),
      engine.indexFolder(folderOf({ 'a.md': 'yak' })),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('of two engines on one database at once leave it as one run would', async () => {
    const folder = folderOf(FORTY);
    const database = path.join(folderOf(), 'waymark.db');
    const engines = [await engineOf({ database }), await engineOf({ database })];
    await Promise.all(engines.map((engine) => engine.indexFolder(folder)));
    for (const engine of engines) {
      expect(await engine.status()).toMatchObject({ files: 40, passages: 120, embedded: 120 });
      expect(await engine.indexFolder(folder)).toEqual(counted({ unchanged: 40 }));
    }
  });

  it.each<[string, (progress: IndexProgress) => boolean]>([
    ['reads', ({ files }) => files.done === 5],
    ['embeds', ({ passages }) => passages.done >= 32],
  ])(
    'end with ENGINE_CLOSED when the engine is closed while one %s, and the database is sound',
    async (_name, when) => {
      const folder = folderOf(FORTY);
      const database = path.join(folderOf(), 'waymark.db');
      const engine = await engineOf({ database });
      let closing: Promise<void> | undefined;
      const onProgress = (progress: IndexProgress) => {
        if (when(progress)) closing ??= engine.close();
      };
      const runs = [engine.indexFolder(folder, { onProgress }), engine.indexFolder(folder)];
      const ends = await Promise.allSettled(runs);
      await closing;
      const closed = { status: 'rejected', reason: expect.objectContaining({ code: 'ENGINE_CLOSED' }) };
      expect(ends).toEqual([closed, closed]);
      const again = await engineOf({ database });
      const { files } = await again.status();
      expect(files).toBeGreaterThanOrEqual(5);
      expect(await again.indexFolder(folder)).toEqual(counted({ added: 40 - files, unchanged: files }));
      expect(await again.status()).toMatchObject({ files: 40, passages: 120, embedded: 120 });
    },
  );
});
