import type { ModelRecord } from '../../storage/storage.js';
import type { Cluster } from '../connection/cluster.js';
import { Claims } from '../records/claims.js';
import { Records } from '../records/records.js';
import { RECORDS } from '../schema/collections.js';

/** A re-embedding that is under way. */
export interface ReembeddingRecord {
  readonly model: ModelRecord;
  /** When something was last staged, within the hour, in milliseconds since the epoch. */
  readonly touched: number;
}

/** A file that is cut for another model. Its passages are in the tenant of that model, under its present generation. */
export interface StagedFileRecord {
  readonly fileId: string;
  readonly key: string;
  /** Of the file when it was staged; it counts only while the file has it. */
  readonly generation: string;
  readonly pipeline: string;
  readonly warnings: readonly string[];
  readonly passages: number;
}

/** A model that a bot had until another one replaced it. */
export interface FormerModelRecord {
  readonly fingerprint: string;
  /** In milliseconds since the epoch. */
  readonly since: number;
}

/** The id of the one re-embedding that a bot may have. */
const ONLY = 'only';

/** What a cluster records of the re-embedding of one bot. */
export class ReembeddingRecords {
  readonly staged: Records<StagedFileRecord>;
  readonly former: Records<FormerModelRecord>;
  /** For what one process alone may do before files are staged. */
  readonly claims: Claims;
  readonly #current: Records<ReembeddingRecord>;

  constructor(cluster: Cluster, bot: string) {
    const partition = { collection: RECORDS, tenant: bot };
    this.staged = new Records<StagedFileRecord>(cluster, { ...partition, kind: 'staged-file' });
    this.former = new Records<FormerModelRecord>(cluster, { ...partition, kind: 'former-model' });
    this.claims = new Claims(cluster, { ...partition, kind: 're-embedding-claim' });
    this.#current = new Records<ReembeddingRecord>(cluster, { ...partition, kind: 're-embedding' });
  }

  current(): Promise<ReembeddingRecord | undefined> {
    return this.#current.find(ONLY);
  }

  async touch(model: ModelRecord): Promise<void> {
    await this.#current.put({ id: ONLY, body: { model, touched: Date.now() } });
  }

  /** Removes the re-embedding with all that it has staged but passages. */
  async end(): Promise<void> {
    await this.#current.remove(ONLY);
    await this.staged.removeAll();
  }
}
