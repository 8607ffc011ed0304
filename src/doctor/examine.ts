import path from 'node:path';
import { BotAdministration } from '../accounts/bot-administration.js';
import type { ModelSource } from '../embed/open.js';
import { measureSimilarity } from '../embed/similarity-scale.js';
import { type BotRow, SqliteBots } from '../sqlite/accounts/sqlite-bots.js';
import { SqliteModels } from '../sqlite/accounts/sqlite-models.js';
import { sqliteUnavailable } from '../sqlite/connection/schema.js';
import { openBotContext } from './bot-context.js';
import { checkChanges } from './changes.js';
import type { BotContext, DoctorContext } from './context.js';
import { embedAgain } from './embed-again.js';
import { checkEmbeddings, embeddingsOf } from './embeddings.js';
import { examineBot } from './examine-bot.js';
import { type Finding, REPAIR } from './finding.js';
import { checkFreeSpace } from './free-space.js';
import { checkNativeModules } from './native-modules.js';
import { openForExamination } from './open-database.js';
import { repairAll } from './repair.js';
import { checkStructure, structureOf } from './structure.js';

/** What to examine. */
export interface ExamineOptions {
  /** Path of the SQLite file. */
  readonly database: string;
  /** Name or id of the bot to examine. Defaults to all bots. */
  readonly bot?: string | undefined;
  /** As in `EngineOptions`; an embedder that is passed as an object is left open. */
  readonly model?: ModelSource | undefined;
  /** Whether to rebuild what can be rebuilt. Defaults to false. */
  readonly repair?: boolean | undefined;
}

/** What an examination found. */
export interface Examination {
  /** Absolute path. */
  readonly database: string;
  /** The worst state of all findings. */
  readonly state: Finding['state'];
  readonly findings: readonly Finding[];
  /** What was repaired, a sentence each; empty unless `repair` was set and something was damaged. */
  readonly repaired: readonly string[];
}

/**
 * Checks a database for damage: its structure, its counters, the checksums of its rows, passages and postings against
 * the texts, the model, the HNSW snapshot, the disk, the native modules. With `repair` it rebuilds what can be rebuilt, in
 * one transaction, and returns the findings after that. Throws `INDEX_MISSING`, `BOT_MISSING`, `DATABASE_TOO_NEW`,
 * `DATABASE_UNWRITABLE`, and `DATABASE_DAMAGED` for what cannot be repaired.
 */
export async function examine(options: ExamineOptions): Promise<Examination> {
  const { model, repair = false } = options;
  const file = path.resolve(options.database);
  const native = checkNativeModules();
  if (sqliteUnavailable()) return examination(file, native, []);
  const { connection, ...opened } = openForExamination(file, { repair });
  const general = [...native, checkFreeSpace(file), ...opened.findings];
  if (!connection) return examination(file, general, opened.repaired);
  const closing: (() => Promise<void>)[] = [];
  try {
    const bots = new SqliteBots(connection);
    const context: DoctorContext = { file, connection, bots, models: new SqliteModels(connection, bots) };
    const open = (bot: BotRow) => openBotContext(bot, { ...context, model, closing });
    const examined = await chosenBots(bots, options.bot);
    const contexts: BotContext[] = [];
    for (const bot of examined) contexts.push(await open(bot));
    const findings = await check(context, contexts);
    const isRepairable = findings.some(({ remedy }) => remedy === REPAIR);
    if (!repair || !isRepairable) return examination(file, [...general, ...findings], opened.repaired);
    // Bots of one model share embeddings: a damaged embedding of one may be another's too.
    const all = [...contexts];
    for (const bot of sharing(context)) {
      if (examined.every(({ number }) => number !== bot.number)) all.push(await open(bot));
    }
    const repaired = [...opened.repaired, ...(await repairAll(context, all))];
    for (const bot of all) repaired.push(...(await measureAgain(bot)), ...(await embedAgain(bot)));
    return examination(file, [...general, ...(await check(context, contexts))], repaired);
  } finally {
    for (const close of closing) await close();
    connection.close();
  }
}

async function chosenBots(bots: SqliteBots, idOrName: string | undefined): Promise<BotRow[]> {
  if (!idOrName) return bots.rows();
  const { id } = await new BotAdministration(bots).find(idOrName);
  return [bots.row(id)];
}

async function check(context: DoctorContext, bots: readonly BotContext[]): Promise<Finding[]> {
  const { connection } = context;
  // One snapshot: half of a change by another process would look like damage.
  connection.exec('BEGIN');
  try {
    const findings = [checkStructure(structureOf(connection)), checkEmbeddings(context), checkChanges(context)];
    for (const bot of bots) findings.push(...(await examineBot(bot)));
    return findings;
  } finally {
    connection.exec('COMMIT');
  }
}

/** The bots that have passages with a damaged embedding. */
function sharing(context: DoctorContext): BotRow[] {
  const numbers = context.connection
    .prepare<[string], number>(
      `SELECT DISTINCT bot FROM passages JOIN files ON files.number = +file
       WHERE +embedding IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .all(JSON.stringify(embeddingsOf(context).damaged));
  return context.bots.rows().filter(({ number }) => numbers.includes(number));
}

/** Measures the similarity scale of a model again, and corrects it if it is recorded otherwise. */
async function measureAgain({ embedder, recorded, models }: BotContext): Promise<string[]> {
  if (!embedder || !recorded || embedder.card.similarity) return [];
  const known = await models.similarity(recorded.fingerprint);
  const measured = await measureSimilarity(embedder);
  if (!known || (known.unrelated === measured.unrelated && known.related === measured.related)) return [];
  await models.setSimilarity(recorded.fingerprint, measured);
  return [`Measured the similarity scale of ${embedder.card.id} again.`];
}

function examination(database: string, findings: readonly Finding[], repaired: readonly string[]): Examination {
  const states = findings.map(({ state }) => state);
  const state = states.includes('damaged') ? 'damaged' : states.includes('warning') ? 'warning' : 'ok';
  return { database, state, findings, repaired };
}
