import path from 'node:path';
import { findBot } from '../accounts/administration.js';
import { validateOpening } from '../engine/engine-options.js';
import { type BotRow, SqliteBots } from '../sqlite/accounts/sqlite-bots.js';
import { SqliteModels } from '../sqlite/accounts/sqlite-models.js';
import { databaseFile } from '../sqlite/connection/database-file.js';
import { sqliteUnavailable } from '../sqlite/connection/sqlite.js';
import { postingTable } from '../sqlite/postings/posting-table.js';
import { checkDatabase } from './check-database.js';
import { inspectEmbeddings, type WrongDimensions, wrongDimensions } from './checks/embeddings.js';
import { checkFreeSpace } from './checks/free-space.js';
import { checkNativeModules } from './checks/native-modules.js';
import { inspectStructure } from './checks/structure.js';
import type { BotContext, DoctorContext } from './context.js';
import type { Examination, ExamineOptions } from './examination.js';
import { examineCluster } from './examine-cluster.js';
import { REPAIR } from './finding.js';
import { openForExamination } from './open-database.js';
import { OpenedModels } from './opened-models.js';
import { correctDimensions } from './repair/correct-dimensions.js';
import { correctSimilarity } from './repair/correct-similarity.js';
import { embedPendingTexts } from './repair/embed-pending-texts.js';
import { repairAll } from './repair/repair-all.js';
import { resetSettings } from './repair/reset-settings.js';

/**
 * Checks a database for damage: its structure, row counters and checksums, settings, passages and postings against the
 * texts, the model, the HNSW snapshot, the disk and the native modules. With `repair` it resets settings that cannot be
 * read, then rebuilds what can be rebuilt, in one transaction, and returns the findings after that. A database of an
 * earlier version is migrated. Throws `INDEX_MISSING`, `BOT_MISSING`, `DATABASE_TOO_NEW`, `DATABASE_UNWRITABLE`,
 * `BUSY`, `ABORTED`; a repair also throws `DATABASE_DAMAGED` if it failed, and `DATABASE_CONFLICT` if another process
 * changed the database meanwhile.
 *
 * Of a cluster, it checks the nodes, the replicas, and passages against files. Throws `CLUSTER_UNAVAILABLE`,
 * `CLUSTER_UNAUTHORIZED`, `CLUSTER_INCOMPATIBLE`, `CLUSTER_CLIENT_MISSING`.
 */
export async function examine(options: ExamineOptions): Promise<Examination> {
  const { database = '', cluster, model, repair = false, signal } = validateOpening(options);
  if (cluster) return examination(cluster.hosts.join(', '), await examineCluster(cluster, options));
  const file = path.resolve(database);
  const native = checkNativeModules();
  if (sqliteUnavailable()) return examination(file, { findings: native, repaired: [] });
  const { connection, findings, repaired } = openForExamination(file, { repair });
  const general = [...native, checkFreeSpace(databaseFile(file).file), ...findings];
  if (!connection) return examination(file, { findings: general, repaired });
  const opened = new OpenedModels(model, { signal });
  try {
    const bots = new SqliteBots(connection);
    const models = new SqliteModels(connection, bots);
    const context: DoctorContext = { file, connection, bots, models, signal };
    const wrong = wrongDimensions(context);
    const chosen: BotContext[] = [];
    for (const bot of await chosenBots(bots, options.bot))
      chosen.push(await withModel(context, bot, { opened, wrong }));
    const found = await checkDatabase(context, chosen);
    if (!repair || found.every(({ remedy }) => remedy !== REPAIR)) {
      return examination(file, { findings: [...general, ...found], repaired });
    }
    const damaged = [...chosen];
    for (const bot of botsSharingDamage(context)) {
      if (chosen.some((other) => other.bot.number === bot.number)) continue;
      damaged.push(await withModel(context, bot, { opened, wrong }));
    }
    // First: the others read the settings of folders.
    const settings = await resetSettings(context);
    const dimensions = await correctDimensions(context);
    const done = [...repaired, ...settings, ...dimensions, ...(await repairAll(context, damaged))];
    for (const bot of damaged) done.push(...(await correctSimilarity(bot)), ...(await embedPendingTexts(bot)));
    return examination(file, { findings: [...general, ...(await checkDatabase(context, chosen))], repaired: done });
  } finally {
    await opened.close();
    connection.close();
  }
}

async function chosenBots(bots: SqliteBots, idOrName: string | undefined): Promise<BotRow[]> {
  if (idOrName === undefined) return bots.rows();
  const { id } = await findBot(bots, idOrName);
  return [bots.row(id)];
}

async function withModel(
  context: DoctorContext,
  bot: BotRow,
  { opened, wrong }: { readonly opened: OpenedModels; readonly wrong: readonly WrongDimensions[] },
): Promise<BotContext> {
  const row = context.models.rowOf(bot.id);
  // Everything is compared with the dimensions that a repair records.
  const corrected = wrong.find(({ model }) => model === row?.number)?.actual;
  const recorded = row && { ...row, dimensions: corrected ?? row.dimensions };
  return { ...context, bot, recorded, ...(await opened.of(recorded)) };
}

/**
 * The bots that are repaired even if another one was chosen: those with a damaged embedding, which bots of one model
 * share, and those with an unreadable posting table, with which no database passes SQLite's checks.
 */
function botsSharingDamage(context: DoctorContext): BotRow[] {
  const { connection, bots } = context;
  const numbers = connection
    .prepare<[string], number>(
      `SELECT DISTINCT bot FROM passages JOIN files ON files.number = +file
       WHERE +embedding IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .all(JSON.stringify(inspectEmbeddings(context).damaged));
  const { postings } = inspectStructure(connection);
  return bots.rows().filter(({ number }) => numbers.includes(number) || postings.includes(postingTable(number)));
}

function examination(
  database: string,
  { findings, repaired }: Pick<Examination, 'findings' | 'repaired'>,
): Examination {
  const states = findings.map(({ state }) => state);
  const state = states.includes('damaged') ? 'damaged' : states.includes('warning') ? 'warning' : 'ok';
  return { database, state, findings, repaired };
}
