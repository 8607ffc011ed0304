import { describe, expect, it } from 'vitest';
import { diff } from '#src/indexing/folder/diff.js';
import type { Failure, FoundFile } from '#src/indexing/folder/walk.js';
import type { StoredFile } from '#src/storage/passage-store.js';

/** When the stored file was read: an hour after its last change. */
const READ = Date.UTC(2024, 1, 3, 4);
const CHANGED = Date.UTC(2024, 1, 3, 3);

const FOUND: FoundFile = { key: 'a.md', path: '/docs/a.md', size: 5, mtime: CHANGED, ctime: CHANGED, inode: 7 };
const STORED: StoredFile = {
  id: 'file_1',
  version: 1,
  key: 'a.md',
  folder: 'docs',
  size: 5,
  mtime: CHANGED,
  ctime: CHANGED,
  inode: 7,
  hash: 'abc',
  pipeline: 'p',
  indexedAt: READ,
};

const ownerOf = ({ folder }: StoredFile) => folder;

function compare(
  files: readonly FoundFile[],
  {
    stored,
    failed = [],
    verify = false,
  }: { stored: readonly StoredFile[]; failed?: readonly Failure[]; verify?: boolean },
) {
  return diff(
    { files, failed },
    { stored, folder: 'docs', pipelineFor: () => 'p', ownerOf, existingPathOf: () => '/other/a.md', verify },
  );
}

/** What is done with a file: nothing, nothing but recording its times, or reading it. */
function fate(found: Partial<FoundFile>, stored: Partial<StoredFile> = {}, verify = false): string {
  const { toRead, unrecorded } = compare([{ ...FOUND, ...found }], { stored: [{ ...STORED, ...stored }], verify });
  return toRead.length > 0 ? 'read' : unrecorded.length > 0 ? 'recorded' : 'left';
}

describe('a file is read', () => {
  it('unless its size, times and inode are as they were', () => {
    expect(fate({})).toBe('left');
    for (const change of [{ size: 6 }, { mtime: CHANGED + 1 }, { ctime: CHANGED + 1 }, { inode: 8 }]) {
      expect(fate(change), JSON.stringify(change)).toBe('read');
    }
    for (const change of [{ pipeline: 'other' }, { mtime: null }]) {
      expect(fate({}, change), JSON.stringify(change)).toBe('read');
    }
  });

  it('if it had changed within the grain of the clock before it was read', () => {
    for (const [before, expected] of [
      [2001, 'left'],
      [2000, 'read'],
      [0, 'read'],
      [-3_600_000, 'read'],
    ] as const) {
      const at = { ctime: READ - before };
      expect(fate(at, at), `${before} ms before`).toBe(expected);
      const modified = { mtime: READ - before };
      expect(fate(modified, modified), `modified ${before} ms before`).toBe(expected);
    }
  });

  it('if its file system has no clock', () => {
    for (const time of [0, 1000, Date.UTC(1980, 0, 1), Date.UTC(1985, 9, 26, 8, 15)]) {
      expect(fate({ mtime: time, ctime: time }, { mtime: time, ctime: time })).toBe('read');
      // A constant modification time, as in the packages of npm, is no reason if the file system has one.
      expect(fate({ mtime: time }, { mtime: time })).toBe('left');
    }
  });

  it('if all are to be verified', () => {
    expect(fate({}, {}, true)).toBe('read');
  });

  it('if an earlier release recorded no ctime and it has changed since; else the ctime is recorded', () => {
    const unknown = { ctime: null, inode: null };
    expect(fate({}, unknown)).toBe('recorded');
    expect(fate({ mtime: 0 }, { ...unknown, mtime: 0 })).toBe('recorded');
    expect(fate({ ctime: READ + 1 }, unknown)).toBe('read');
  });
});

describe('a stored file has vanished', () => {
  it('unless it, or a folder above it, could not be read', () => {
    const keys = ['a.md', 'sub/b.md', 'sub/deep/c.md', 'subway/d.md'];
    const vanished = (...failed: string[]) =>
      compare([], {
        stored: keys.map((key) => ({ ...STORED, key })),
        failed: failed.map((key) => ({ key, reason: 'EACCES' })),
      }).vanished.map(({ key }) => key);
    expect(vanished()).toEqual(keys);
    expect(vanished('a.md')).toEqual(['sub/b.md', 'sub/deep/c.md', 'subway/d.md']);
    expect(vanished('sub/')).toEqual(['a.md', 'subway/d.md']);
    expect(vanished('sub/deep/')).toEqual(['a.md', 'sub/b.md', 'subway/d.md']);
  });
});
