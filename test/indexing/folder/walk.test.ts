import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { walk } from '#src/indexing/folder/walk.js';
import { folderOf } from '../../support/folder.js';
import { runModule } from '../../support/node.js';

async function keysIn(folder: string, patterns?: readonly string[]): Promise<string[]> {
  const { files, failed } = await walk(folder, patterns && { patterns });
  expect(failed).toEqual([]);
  return files.map(({ key }) => key);
}

function folderWith(...names: readonly string[]): string {
  return folderOf(Object.fromEntries(names.map((name) => [name, 'text'])));
}

describe('a walk finds', () => {
  it('files of every format, in any case, and no others', async () => {
    const known = ['D.MD', 'a.md', 'b.markdown', 'c.mdx', 'e.MarkDown', 'f.MdX', 'g.txt', 'h.Html', 'i.csv', 'j.ipynb'];
    const others = ['k.bin', 'l.md.bak', 'md', 'm.mdown', 'n.json'];
    expect(await keysIn(folderWith(...known, ...others))).toEqual(known);
  });

  it('path, size, times and inode of a file', async () => {
    const folder = folderOf({ 'sub/ä b.md': 'ä' });
    const { files } = await walk(folder);
    const file = path.join(folder, 'sub', 'ä b.md');
    const { mtimeMs: mtime, ctimeMs: ctime, ino: inode } = statSync(file);
    expect(files).toEqual([{ key: 'sub/ä b.md', path: file, size: 2, mtime, ctime, inode }]);
  });

  it('nothing that is hidden, and nothing in node_modules', async () => {
    const names = ['.a.md', '.git/b.md', '.hidden/c.md', 'node_modules/d.md', 'sub/node_modules/e.md', 'sub/f.md'];
    expect(await keysIn(folderWith(...names))).toEqual(['sub/f.md']);
  });

  it('keys in code unit order, whatever their folders', async () => {
    const names = ['b.md', 'a/z.md', 'a-b.md', 'a.md', 'B.md', 'a/a.md', 'ä.md', 'a0/a.md'];
    const ordered = ['B.md', 'a-b.md', 'a.md', 'a/a.md', 'a/z.md', 'a0/a.md', 'b.md', 'ä.md'];
    expect(await keysIn(folderWith(...names))).toEqual(ordered);
    expect(await keysIn(folderWith(...names.toReversed()))).toEqual(ordered);
  });

  it('the files in a folder that is named like a file', async () => {
    expect(await keysIn(folderWith('x.md/y.md', 'x.md/z.bin'))).toEqual(['x.md/y.md']);
  });

  it('nothing in an empty folder', async () => {
    expect(await keysIn(folderOf())).toEqual([]);
  });
});

describe('links', () => {
  it('are not followed, to files or folders, within or out of the folder', async () => {
    const outside = folderWith('out.md');
    const folder = folderWith('a.md', 'sub/b.md');
    symlinkSync(path.join(folder, 'a.md'), path.join(folder, 'link.md'));
    symlinkSync(path.join(folder, 'sub'), path.join(folder, 'linked'));
    symlinkSync(folder, path.join(folder, 'sub', 'loop'));
    symlinkSync(outside, path.join(folder, 'outside'));
    symlinkSync(path.join(folder, 'gone.md'), path.join(folder, 'dangling.md'));
    expect(await keysIn(folder)).toEqual(['a.md', 'sub/b.md']);
  });

  it('may lead to the folder itself', async () => {
    const folder = folderWith('a.md');
    const link = path.join(folderOf(), 'link');
    symlinkSync(folder, link);
    expect(await keysIn(link)).toEqual(['a.md']);
  });
});

describe('.gitignore', () => {
  it('excludes files and folders', async () => {
    const folder = folderWith('a.md', 'draft-1.md', 'build/b.md', 'sub/build/c.md', 'sub/draft-2.md', 'sub/d.md');
    expect(await keysIn(withRules(folder, { '': 'draft-*.md\r\n/build/\n# a comment\n\n' }))).toEqual([
      'a.md',
      'sub/build/c.md',
      'sub/d.md',
    ]);
  });

  it('distinguishes case where the file system does', async () => {
    const folder = folderWith('build.md', 'sub/Notes.md');
    const ignoresCase = existsSync(path.join(folder, 'BUILD.md'));
    const rules = { '': 'BUILD.md', sub: 'notes.md' };
    expect(await keysIn(withRules(folder, rules))).toEqual(ignoresCase ? [] : ['build.md', 'sub/Notes.md']);
    expect(await keysIn(folderWith('build.md'), ['BUILD.md'])).toEqual(ignoresCase ? [] : ['build.md']);
  });

  it('includes again what a later or deeper rule negates', async () => {
    const folder = folderWith('a.md', 'keep.md', 'sub/b.md', 'sub/c.md', 'sub/keep.md', 'sub/deep/b.md');
    const rules = { '': '*.md\n!keep.md', sub: '!b.md', 'sub/deep': 'b.md' };
    expect(await keysIn(withRules(folder, rules))).toEqual(['keep.md', 'sub/b.md', 'sub/keep.md']);
  });

  it('includes nothing in an excluded folder', async () => {
    const folder = folderWith('sub/keep.md', 'b.md');
    expect(await keysIn(withRules(folder, { '': 'sub/\n!sub/keep.md', sub: '!keep.md' }))).toEqual(['b.md']);
  });

  it('in the folders above counts, up to the one with .git', async () => {
    const root = folderWith('repository/docs/guide/a.md', 'repository/docs/guide/b.md', 'repository/docs/guide/c.md');
    withRules(root, { '': 'a.md', repository: 'docs/guide/b.md', 'repository/docs': '*.txt' });
    const guide = path.join(root, 'repository', 'docs', 'guide');
    expect(await keysIn(guide)).toEqual(['a.md', 'b.md', 'c.md']);
    mkdirSync(path.join(root, 'repository', '.git'));
    expect(await keysIn(guide)).toEqual(['a.md', 'c.md']);
  });

  it('in the folders above does not exclude the folder that the caller named', async () => {
    const root = withRules(folderWith('.git/HEAD', 'build/a.md', 'build/b.md', 'build/build/c.md'), {
      '': 'build/',
      build: 'b.md',
    });
    expect(await keysIn(root)).toEqual([]);
    expect(await keysIn(path.join(root, 'build'))).toEqual(['a.md', 'build/c.md']);
  });

  it('counts, except for lines that are longer than any path', async () => {
    const rules = { '': `draft.md\n${'a'.repeat(40_000)}\r\nold.md` };
    expect(await keysIn(withRules(folderWith('a.md', 'draft.md', 'old.md'), rules))).toEqual(['a.md']);
  });

  function withRules(folder: string, rules: Readonly<Record<string, string>>): string {
    for (const [where, text] of Object.entries(rules)) writeFileSync(path.join(folder, where, '.gitignore'), text);
    return folder;
  }
});

describe('patterns', () => {
  it('exclude files as .gitignore does, relative to the folder', async () => {
    const folder = folderWith('a.md', 'draft.md', 'sub/draft.md', 'sub/b.md', 'old/c.md', 'sub/old/d.md');
    expect(await keysIn(folder, ['draft.md', '/old'])).toEqual(['a.md', 'sub/b.md', 'sub/old/d.md']);
  });

  it('of a .waymarkignore override the .gitignore beside it, for Waymark alone', async () => {
    const folder = folderOf({
      'a.md': '',
      'b.md': '',
      'c.md': '',
      'sub/b.md': '',
      '.gitignore': 'a.md\nc.md',
      '.waymarkignore': '!a.md\nb.md',
      'sub/.gitignore': '!b.md',
    });
    expect(await keysIn(folder)).toEqual(['a.md', 'sub/b.md']);
    expect(await keysIn(folder, ['!b.md', 'a.md'])).toEqual(['b.md', 'sub/b.md']);
  });

  it('override .gitignore', async () => {
    const folder = folderOf({
      'a.md': '',
      'b.md': '',
      'sub/c.md': '',
      '.gitignore': 'a.md',
      'sub/.gitignore': '!c.md',
    });
    expect(await keysIn(folder, ['!a.md', 'c.md'])).toEqual(['a.md', 'b.md']);
  });
});

describe('a folder that cannot be walked is FOLDER_MISSING, with a next step:', () => {
  it('one that does not exist', async () => {
    const folder = path.join(folderOf(), 'gone');
    await expect(walk(folder)).rejects.toMatchObject({
      code: 'FOLDER_MISSING',
      message: `No folder at ${folder}: give the path of a folder of documents.`,
    });
  });

  it('one that is a file', async () => {
    const file = path.join(folderWith('a.md'), 'a.md');
    await expect(walk(file)).rejects.toMatchObject({
      code: 'FOLDER_MISSING',
      message: `${file} is a file: give the folder that it is in.`,
    });
  });
});

it('ignore rules hold while their file is replaced, as when an editor saves it', async () => {
  const folder = folderOf({
    'a.md': 'a',
    'private/b.md': 'b',
    '.waymarkignore': 'private/\n',
    'saved.txt': 'private/\n',
  });
  const program = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const [, folder] = process.argv;
    const { realpath } = fs.promises;
    const rules = folder + '/.waymarkignore';
    fs.promises.realpath = async (place) => {
      // The walk has opened the file by now.
      if (place === rules && fs.existsSync(folder + '/saved.txt')) fs.renameSync(folder + '/saved.txt', rules);
      return realpath(place);
    };
    syncBuiltinESMExports();
    const { createHashEmbedder, openEngine } = await import('waymark');
    const engine = await openEngine({ database: folder + '/waymark.db', model: createHashEmbedder() });
    console.log((await engine.indexFolder(folder)).added, fs.existsSync(folder + '/saved.txt'));
    await engine.close();
  `;
  expect(await runModule(program, [folder])).toMatchObject({ stdout: '1 false\n', stderr: '' });
});
