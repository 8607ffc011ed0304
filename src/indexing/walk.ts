import { constants } from 'node:fs';
import { access, lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isKey } from '../contract/index-file.js';
import { WaymarkError } from '../domain/errors.js';
import { readRegular } from './read-file.js';

/** A markdown file of a folder. */
export interface FoundFile {
  /** Relative path with forward slashes. */
  readonly key: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds. */
  readonly mtime: number;
}

export interface Failure {
  /** Of a file; of a folder that could not be read, with a slash at its end. */
  readonly key: string;
  readonly reason: string;
}

export interface Walk {
  /** By key. */
  readonly files: readonly FoundFile[];
  readonly failed: readonly Failure[];
}

const MARKDOWN = /\.(md|markdown|mdx)$/i;

/** A folder's ignore rules, deepest last; each is relative to its own folder. */
interface Rules {
  readonly folder: string;
  readonly ignore: Ignore;
}

/**
 * The markdown files under a folder. Left out: what `.gitignore` files name (those above the folder in the same git
 * repository count too) or `patterns` in the same syntax; hidden files, `node_modules`; links, for what they lead to is
 * found in its own place, or is not in the folder.
 * Throws `FOLDER_MISSING`; a file or folder below that cannot be read is told in `failed`.
 */
export async function walk(folder: string, options?: { readonly patterns?: readonly string[] }): Promise<Walk> {
  const root = await rootOf(folder);
  const files: FoundFile[] = [];
  const failed: Failure[] = [];
  const given: Rules = { folder: root, ignore: ignore().add([...(options?.patterns ?? [])]) };

  async function visit(parent: string, above: readonly Rules[]): Promise<void> {
    const rules = [...above, ...(await rulesOf(parent))];
    const entries = await readdir(parent, { withFileTypes: true });
    if ((await realpath(parent)) !== parent) throw new Error('it was replaced by a link while it was read');
    for (const entry of entries) {
      const absolute = path.join(parent, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const directory = entry.isDirectory();
      const wanted = directory || (entry.isFile() && MARKDOWN.test(entry.name));
      if (!wanted || isIgnored(absolute, { rules: [...rules, given], directory })) continue;
      const key = keyOf(root, absolute);
      if (!isKey(key)) {
        failed.push({
          key: directory ? `${key}/` : key,
          reason: 'its path is too long, or has control characters or bytes that are not UTF-8: rename it',
        });
        continue;
      }
      try {
        if (directory) {
          await visit(absolute, rules);
        } else {
          const { size, mtimeMs } = await lstat(absolute);
          files.push({ key, path: absolute, size, mtime: mtimeMs });
        }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        failed.push({ key: directory ? `${key}/` : key, reason });
      }
    }
  }

  try {
    await visit(root, await rulesAbove(root));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `${root} could not be read (${reason}): try again once what it names is mended.`;
    throw new WaymarkError('FOLDER_MISSING', message, { cause });
  }
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
  return { files: files.sort(byKey), failed: failed.sort(byKey) };
}

async function rootOf(folder: string): Promise<string> {
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) {
      await access(root, constants.R_OK | constants.X_OK);
      return root;
    }
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EACCES') {
      throw new WaymarkError('FOLDER_MISSING', `${path.resolve(folder)} may not be read: check its permissions.`, {
        cause,
      });
    }
    throw new WaymarkError(
      'FOLDER_MISSING',
      `No folder at ${path.resolve(folder)}: give the path of a folder of markdown.`,
      { cause },
    );
  }
  throw new WaymarkError('FOLDER_MISSING', `${path.resolve(folder)} is a file: give the folder that it is in.`);
}

/** Largest .gitignore that is read, in bytes: a larger one is no list of rules. */
const MOST_RULES = 1 << 20;

async function rulesOf(directory: string): Promise<Rules[]> {
  try {
    const bytes = await readRegular(path.join(directory, '.gitignore'), MOST_RULES);
    return bytes ? [{ folder: directory, ignore: ignore().add(new TextDecoder().decode(bytes)) }] : [];
  } catch (error) {
    // A machine that fails says nothing of what is to be left out.
    if (['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // None, or not readable, or a link: git goes on without it, too.
    return [];
  }
}

/**
 * The rules of the folders above, up to the one that holds `.git`; none outside a repository. Those that leave out the
 * folder as a whole do not count: it was named on purpose.
 */
async function rulesAbove(root: string): Promise<Rules[]> {
  const above: Rules[] = [];
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (folder !== root) above.unshift(...(await rulesOf(folder)));
    if (await exists(path.join(folder, '.git'))) {
      return above.filter((rules) => !isIgnored(root, { rules: [rules], directory: true }));
    }
    if (folder === path.dirname(folder)) return [];
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** The deepest rule that says anything decides, as in git. */
function isIgnored(absolute: string, { rules, directory }: { rules: readonly Rules[]; directory: boolean }): boolean {
  for (const rule of rules.toReversed()) {
    const relative = keyOf(rule.folder, absolute) + (directory ? '/' : '');
    const { ignored, unignored } = rule.ignore.test(relative);
    if (ignored || unignored) return ignored;
  }
  return false;
}

function keyOf(root: string, absolute: string): string {
  return path.relative(root, absolute).split(path.sep).join('/');
}
