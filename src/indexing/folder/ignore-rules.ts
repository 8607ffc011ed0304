import { stat } from 'node:fs/promises';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { LIMITS } from '../../domain/limits.js';
import { readRegular } from '../read-file.js';

/** Rules relative to the folder that their .gitignore file is in. */
interface Rules {
  readonly folder: string;
  readonly ignore: Ignore;
}

/** The ignore rules that hold in a folder, as git applies them: the deepest rule that matches decides. */
export class IgnoreRules {
  /** A caller's patterns, which override all .gitignore files. */
  readonly #given: Rules;
  /** Outermost folder first. */
  readonly #rules: readonly Rules[];

  private constructor(given: Rules, rules: readonly Rules[]) {
    this.#given = given;
    this.#rules = rules;
  }

  /**
   * A caller's patterns for `root`, and the rules of the folders above it up to the one that contains `.git`; none
   * outside a repository. Rules that exclude `root` itself do not count, because the caller named it.
   */
  static async above(root: string, patterns: readonly string[]): Promise<IgnoreRules> {
    const given = { folder: root, ignore: ignore().add([...patterns]) };
    const rules: Rules[] = [];
    for (let folder = root; ; folder = path.dirname(folder)) {
      if (folder !== root) rules.unshift(...(await rulesOf(folder)));
      if (await exists(path.join(folder, '.git'))) {
        const applicable = rules.filter((one) => !verdictOf(one, root, { isFolder: true }).ignored);
        return new IgnoreRules(given, applicable);
      }
      if (folder === path.dirname(folder)) return new IgnoreRules(given, []);
    }
  }

  /** The rules within a subfolder: these, and those of its own .gitignore. */
  async within(folder: string): Promise<IgnoreRules> {
    return new IgnoreRules(this.#given, [...this.#rules, ...(await rulesOf(folder))]);
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

function verdictOf(
  { folder, ignore }: Rules,
  absolute: string,
  { isFolder }: { isFolder: boolean },
): { ignored: boolean; unignored: boolean } {
  const relative = path.relative(folder, absolute).split(path.sep).join('/');
  return ignore.test(relative + (isFolder ? '/' : ''));
}

async function rulesOf(folder: string): Promise<Rules[]> {
  try {
    const bytes = await readRegular(path.join(folder, '.gitignore'), LIMITS.ignoreRules.value);
    return bytes ? [{ folder, ignore: ignore().add(new TextDecoder().decode(bytes)) }] : [];
  } catch (error) {
    // If the machine is out of resources, the rules are unknown, and excluded files must not be indexed.
    if (['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // Missing, unreadable, or a link: git carries on without it, too.
    return [];
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
