import { stemOf } from '#src/sqlite/postings/stems.js';
import { signingKey } from '#src/weaviate/accounts/signing-key.js';
import { WeaviateAccounts } from '#src/weaviate/accounts/weaviate-accounts.js';
import { WeaviateFolders } from '#src/weaviate/bots/weaviate-folders.js';
import { WeaviateKnowledgeBases } from '#src/weaviate/bots/weaviate-knowledge-bases.js';
import { WeaviateContents } from '#src/weaviate/contents/weaviate-contents.js';
import { WeaviateFileRecords } from '#src/weaviate/files/weaviate-file-records.js';
import { WeaviateUploadAddresses } from '#src/weaviate/files/weaviate-upload-addresses.js';
import { KeyLocks } from '#src/weaviate/records/key-locks.js';
import { WeaviateStorage } from '#src/weaviate/weaviate-storage.js';
import { describeAccounts } from '../storage/accounts-contract.js';
import { describeBotRecords } from '../storage/bot-records-contract.js';
import { describeContents } from '../storage/contents-contract.js';
import { describeCopies } from '../storage/copies-contract.js';
import { describeFileRecords } from '../storage/file-records-contract.js';
import { describeWithCluster } from './with-cluster.js';

describeWithCluster((cluster) => {
  const open = async () => {
    const accounts = new WeaviateAccounts(cluster());
    return {
      accounts,
      models: accounts.models,
      uploads: new WeaviateUploadAddresses(cluster()),
      contents: new WeaviateContents(cluster()),
      signingKey: () => signingKey(cluster()),
      folders: async (bot: string) => new WeaviateFolders(cluster(), bot),
      knowledgeBases: async (bot: string) => new WeaviateKnowledgeBases(cluster(), bot),
      fileRecords: async (bot: string) =>
        new WeaviateFileRecords(cluster(), {
          bot,
          locks: new KeyLocks(),
          writer: async () => {
            throw new Error('No file of these tests has passages');
          },
        }),
    };
  };

  describeAccounts('a cluster', open);
  describeFileRecords('a cluster', open);
  describeContents('a cluster', open);
  describeBotRecords('a cluster', open);
  describeCopies(
    'a cluster',
    async () => new WeaviateStorage(cluster(), { base: '.', stem: stemOf, onStage: undefined }),
  );
});
