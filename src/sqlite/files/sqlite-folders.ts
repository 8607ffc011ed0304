import type { Tags } from '../../domain/passage.js';
import { folderExists } from '../../storage/failures.js';
import {
  type ExpectedFolder,
  type FolderRecord,
  type Folders,
  isSameFolder,
  type TagRule,
} from '../../storage/folders.js';
import { assertBot } from '../accounts/assert-bot.js';
import type { Connection } from '../connection/connection.js';
import { storedJson } from '../connection/stored-json.js';

interface Row extends Pick<FolderRecord, 'folder' | 'name' | 'seenAt'> {
  /** A JSON object. */
  readonly tags: string;
  /** A JSON list. */
  readonly tagRules: string;
  /** A JSON list. */
  readonly ignore: string;
}

/** The folders that a bot knows, in SQLite. */
export class SqliteFolders implements Folders {
  readonly #connection: Connection;
  readonly #bot: number;

  constructor(connection: Connection, bot: number) {
    this.#connection = connection;
    this.#bot = bot;
  }

  async list(): Promise<readonly FolderRecord[]> {
    return this.#list();
  }

  async put(record: FolderRecord, condition?: ExpectedFolder): Promise<boolean> {
    const { folder, name, seenAt, tags, tagRules, ignore } = record;
    return this.#connection.write(() => {
      assertBot(this.#connection, this.#bot);
      if (condition && !isSameFolder(this.#find(folder), condition.expected)) return false;
      const other = this.#connection
        .prepare(`SELECT 1 FROM folders WHERE bot = ? AND name = ? AND name <> '' AND folder <> ?`)
        .get(this.#bot, name, folder);
      if (other) throw folderExists(name);
      this.#connection
        .prepare(
          `INSERT OR REPLACE INTO folders (bot, folder, name, tags, tag_rules, ignore, seen_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(this.#bot, folder, name, JSON.stringify(tags), JSON.stringify(tagRules), JSON.stringify(ignore), seenAt);
      return true;
    });
  }

  async markSeen(folder: string, seenAt: number): Promise<void> {
    await this.#connection.write(() => {
      this.#connection
        .prepare(`UPDATE folders SET seen_at = ? WHERE bot = ? AND folder = ?`)
        .run(seenAt, this.#bot, folder);
    });
  }

  async remove(folder: string): Promise<void> {
    await this.#connection.write(() => {
      this.#connection.prepare(`DELETE FROM folders WHERE bot = ? AND folder = ?`).run(this.#bot, folder);
    });
  }

  #find(folder: string): FolderRecord | undefined {
    return this.#list().find((record) => record.folder === folder);
  }

  #list(): FolderRecord[] {
    const rows = this.#connection
      .prepare<[number], Row>(
        `SELECT folder, name, tags, tag_rules AS tagRules, ignore, seen_at AS seenAt
         FROM folders WHERE bot = ? ORDER BY name, folder`,
      )
      .all(this.#bot);
    return rows.map((row) => {
      const part = `The row of the folder ${row.folder}`;
      return {
        ...row,
        tags: storedJson<Tags>(row.tags, { shape: 'tags', part }),
        tagRules: storedJson<TagRule[]>(row.tagRules, { shape: 'tagRules', part }),
        ignore: storedJson<string[]>(row.ignore, { shape: 'texts', part }),
      };
    });
  }
}
