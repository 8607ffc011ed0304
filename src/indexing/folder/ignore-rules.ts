import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import ignore, { type Ignore } from 'ignore';
import { LIMITS } from '../../domain/limits.js';
import { isInPlace, readRegular } from '../read-file.js';
import { statOf } from './stat-of.js';

/** Files of ignore rules, in the order in which they count: a later rule overrides those before it. */
export const IGNORE_FILES: readonly string[] = ['.gitignore', '.waymarkignore'];

/** How often an ignore file that is replaced again and again is read. */
const ATTEMPTS = 10;

/** Milliseconds between two attempts. */
const PAUSE = 5;

/** Rules relative to the folder that their file is in. */
interface Rules {
  readonly folder: string;
  readonly ignore: Ignore;
}

/** How rules are read. */
interface Reading {
  /** Whether two names that differ in case are one file. */
  readonly ignoreCase: boolean;
}

/**
 * The ignore rules that hold in a folder, as git applies them: the deepest rule that matches decides, and case counts
 * where it distinguishes files.
 */
export class IgnoreRules {
  /** A caller's patterns, which override those of all files. */
  readonly #given: Rules;
  /** Outermost folder first. */
  readonly #rules: readonly Rules[];
  readonly #reading: Reading;

  private constructor(given: Rules, rules: readonly Rules[], reading: Reading) {
    this.#given = given;
    this.#rules = rules;
    this.#reading = reading;
  }

  /**
   * A caller's patterns for `root`, and the rules of the folders above it up to the one that contains `.git`; none
   * outside a repository. Rules that exclude `root` itself do not count, because the caller named it.
   */
  static async above(root: string, patterns: readonly string[]): Promise<IgnoreRules> {
    const reading = { ignoreCase: await ignoresCase(root) };
    const given = { folder: root, ignore: ignore(reading).add([...patterns]) };
    const rules = await Promise.all(repositoryFoldersAbove(root).map((folder) => rulesOf(folder, reading)));
    const applicable = rules.flat().filter((one) => !verdictOf(one, root, { isFolder: true }).ignored);
    return new IgnoreRules(given, applicable, reading);
  }

  /** The rules within a subfolder: these, and those of its own files. */
  async within(folder: string): Promise<IgnoreRules> {
    const rules = [...this.#rules, ...(await rulesOf(folder, this.#reading))];
    return new IgnoreRules(this.#given, rules, this.#reading);
  }

  /** Whether a file or folder is to be skipped, by its absolute path. */
  ignores(absolute: string, { isFolder }: { isFolder: boolean }): boolean {
    for (const rules of [...this.#rules, this.#given].toReversed()) {
      const { ignored, unignored } = verdictOf(rules, absolute, { isFolder });
      if (ignored || unignored) return ignored;
    }
    return false;
  }
}

/** A text that changes with the ignore files above a folder, which watching the folder does not notice. */
export function stateAbove(root: string): string {
  const files = repositoryFoldersAbove(root).flatMap((folder) => IGNORE_FILES.map((name) => path.join(folder, name)));
  const stateOf = (file: string) => {
    const { ino, ctimeMs } = statOf(file) ?? {};
    return `${file} ${ino} ${ctimeMs}`;
  };
  return files.map(stateOf).join('\n');
}

/** The folders above one that are in the same git repository, outermost first. */
function repositoryFoldersAbove(root: string): string[] {
  const above: string[] = [];
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (folder !== root) above.unshift(folder);
    if (existsSync(path.join(folder, '.git'))) return above;
    if (folder === path.dirname(folder)) return [];
  }
}

function verdictOf(
  { folder, ignore }: Rules,
  absolute: string,
  { isFolder }: { isFolder: boolean },
): { ignored: boolean; unignored: boolean } {
  const relative = path.relative(folder, absolute).split(path.sep).join('/');
  return ignore.test(relative + (isFolder ? '/' : ''));
}

async function rulesOf(folder: string, reading: Reading): Promise<Rules[]> {
  const found = await Promise.all(IGNORE_FILES.map((name) => rulesIn(path.join(folder, name))));
  return found.flatMap((text) => (text === undefined ? [] : [{ folder, ignore: ignore(reading).add(linesOf(text)) }]));
}

/** The lines that may be patterns; of one that is too long, no regular expression can be made. */
function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.length <= LIMITS.ignoreRule.value);
}

async function rulesIn(file: string): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      const bytes = await readRegular(file, LIMITS.ignoreRules.value);
      return bytes && new TextDecoder().decode(bytes);
    } catch (error) {
      // If the rules may not be read, or the machine is out of resources, excluded files must not be indexed.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (['EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ENOMEM', 'EIO'].includes(code)) throw error;
      // Missing, or a link: git also continues without it.
      if (!(await isInPlace(file))) return undefined;
      // Another file has taken its place while it was read, as when an editor or git writes it.
      if (attempt === ATTEMPTS) throw error;
      await setTimeout(PAUSE);
    }
  }
}

/** Whether the file system finds a folder by its name in another case, as those of macOS and Windows do. */
async function ignoresCase(folder: string): Promise<boolean> {
  const other = path.join(path.dirname(folder), inOtherCase(path.basename(folder)));
  if (other === folder) return ['darwin', 'win32'].includes(process.platform);
  try {
    const [here, there] = await Promise.all([stat(folder), stat(other)]);
    return here.ino === there.ino && here.dev === there.dev;
  } catch {
    return false;
  }
}

function inOtherCase(name: string): string {
  const lower = name.toLowerCase();
  return lower === name ? name.toUpperCase() : lower;
}
