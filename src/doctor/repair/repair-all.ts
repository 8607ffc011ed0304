import { counted } from '../../contract/wording.js';
import { WaymarkError } from '../../domain/errors.js';
import { postingTable } from '../../sqlite/postings/posting-table.js';
import { inspectEmbeddings } from '../checks/embeddings.js';
import { checkSnapshot } from '../checks/snapshot.js';
import { inspectStructure } from '../checks/structure.js';
import type { BotContext, DoctorContext } from '../context.js';
import { listed } from '../describe.js';
import { addChecksums } from './add-checksums.js';
import { type Plan, planFor, TERMS } from './plan.js';
import { rebuildBot } from './rebuild-bot.js';
import { recountTotals } from './recount-totals.js';
import { removeDamaged } from './remove-damaged.js';
import { resetChanges } from './reset-changes.js';
import { restoreFiles } from './restore-files.js';

/**
 * Rebuilds what can be rebuilt: passages and postings from the texts, texts from their folders. Embeddings become
 * pending. Everything happens in one transaction, which is committed only if SQLite then finds the database intact.
 * Returns a sentence for each step. Throws `DATABASE_DAMAGED`, `DATABASE_UNWRITABLE`, `DATABASE_CONFLICT`, `BUSY`.
 */
export async function repairAll(context: DoctorContext, bots: readonly BotContext[]): Promise<string[]> {
  const { connection } = context;
  const version = () => connection.pragma('data_version');
  const before = version();
  connection.exec(`DROP TABLE IF EXISTS ${TERMS};
    CREATE TABLE ${TERMS} (file INTEGER, position INTEGER, breadcrumb TEXT, text TEXT, PRIMARY KEY (file, position))`);
  try {
    const { indexes, postings } = inspectStructure(connection);
    const plans: Plan[] = [];
    for (const bot of bots) {
      const plan = await planFor(bot, { hasDamagedPostings: postings.includes(postingTable(bot.bot.number)) });
      if (plan) plans.push(plan);
    }
    const damagedSnapshots = new Set<BotContext>();
    for (const bot of bots) if ((await checkSnapshot(bot)).state === 'damaged') damagedSnapshots.add(bot);
    const rebuilt = new Set(plans.map((plan) => plan.context));
    const repair = () => {
      if (version() !== before) throw changedMeanwhile(context.file);
      const done = removeDamaged(context, plans);
      if (indexes.length > 0) done.push('Rebuilt the indexes of the tables.');
      for (const plan of plans) done.push(...rebuildBot(plan));
      done.push(...restoreFiles(bots));
      done.push(...recountTotals(context));
      done.push(...resetChanges(context, { bots, rebuilt, damagedSnapshots }));
      done.push(...removeUnusedEmbeddings(context));
      const checksums = addChecksums(connection);
      if (checksums > 0) done.push(`Added checksums to ${counted(checksums, 'row')}.`);
      assertIntact(context);
      return done;
    };
    return await connection.write(() => connection.unsafely(repair));
  } finally {
    connection.exec(`DROP TABLE IF EXISTS ${TERMS}`);
  }
}

function removeUnusedEmbeddings(context: DoctorContext): string[] {
  const { unused } = inspectEmbeddings(context);
  if (unused.length === 0) return [];
  context.connection
    .prepare(`DELETE FROM embeddings WHERE number IN (SELECT value FROM json_each(?))`)
    .run(JSON.stringify(unused));
  return [`Removed ${counted(unused.length, 'unused embedding')}.`];
}

function assertIntact({ connection, file }: DoctorContext): void {
  const faults = Object.values(inspectStructure(connection)).flat();
  if (faults.length === 0) return;
  const message =
    `${file} cannot be repaired (${listed(faults)}) and was not changed: ` +
    'index again into a new file with --database.';
  throw new WaymarkError('DATABASE_DAMAGED', message);
}

function changedMeanwhile(file: string): WaymarkError {
  const message = `Another process changed ${file} during the examination: stop that process, then repair again.`;
  return new WaymarkError('DATABASE_CONFLICT', message);
}
