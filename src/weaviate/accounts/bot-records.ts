import type { BotRecord } from '../../storage/accounts.js';
import { botExists } from '../../storage/failures.js';
import type { ModelRecord } from '../../storage/storage.js';
import type { Cluster } from '../connection/cluster.js';
import { Records } from '../records/records.js';
import { ACCOUNTS } from '../schema/collections.js';
import { NamedRecords } from './named-records.js';

/** The model of a bot. */
export interface BotModel extends ModelRecord {
  readonly bot: string;
}

/** What a cluster records of bots, by their ids. A bot and its model are apart: each is written whole. */
export interface BotRecords {
  /** Their names are unique in a workspace. */
  readonly bots: NamedRecords<BotRecord>;
  readonly models: Records<BotModel>;
}

/** The records of a cluster's bots. */
export function botRecords(cluster: Cluster): BotRecords {
  return {
    bots: new NamedRecords<BotRecord>(cluster, {
      kind: 'bot',
      scopeOf: ({ workspace }) => workspace,
      taken: botExists,
    }),
    models: new Records<BotModel>(cluster, { collection: ACCOUNTS, kind: 'bot-model' }),
  };
}
