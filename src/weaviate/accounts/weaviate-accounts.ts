import type { Accounts, Bots, Tokens, Workspaces } from '../../storage/accounts.js';
import type { Cluster } from '../connection/cluster.js';
import { botRecords } from './bot-records.js';
import { WeaviateBots } from './weaviate-bots.js';
import { WeaviateModels } from './weaviate-models.js';
import { WeaviateTokens } from './weaviate-tokens.js';
import { WeaviateWorkspaces } from './weaviate-workspaces.js';

/** Workspaces, bots with their models, and tokens in a cluster. */
export class WeaviateAccounts implements Accounts {
  readonly workspaces: Workspaces;
  readonly bots: Bots;
  readonly tokens: Tokens;
  readonly models: WeaviateModels;

  constructor(cluster: Cluster) {
    const records = botRecords(cluster);
    const tokens = new WeaviateTokens(cluster);
    const workspaces = new WeaviateWorkspaces(cluster, { tokens, bots: records.bots });
    this.workspaces = workspaces;
    this.tokens = tokens;
    this.bots = new WeaviateBots(cluster, { records, workspaces });
    this.models = new WeaviateModels(cluster, records);
  }
}
