import path from 'node:path';
import { WaymarkError } from '../domain/errors.js';
import type { Embedder } from '../embed/embedder.js';
import { type ModelSource, openEmbedder } from '../embed/open.js';
import { measureSimilarity } from '../embed/similarity-scale.js';
import { cuttingOf } from '../engine/assemble-engine.js';
import { BotAdministration } from '../engine/bot-administration.js';
import { recordedModel } from '../engine/open-engine.js';
import { ParsePool } from '../indexing/parsing/parse-pool.js';
import { type BotRow, Bots } from '../sqlite/accounts/bots.js';
import {
  type Database,
  databaseError,
  openAsIs,
  openDatabase,
  sqliteUnavailable,
} from '../sqlite/connection/database.js';
import { MIGRATIONS } from '../sqlite/connection/migrations.js';
import { checkChanges } from './changes.js';
import { embedAgain } from './embed-again.js';
import { checkEmbeddings, embeddingsOf } from './embeddings.js';
import { examineBot } from './examine-bot.js';
import type { Finding } from './finding.js';
import { REPAIR } from './finding.js';
import { checkFreeSpace } from './free-space.js';
import { checkNativeModules } from './native-modules.js';
import type { BotPatient, Patient } from './patient.js';
import { repairAll } from './repair.js';
import { checkSchema, readSchema } from './schema.js';
import { checkStructure, structureOf } from './structure.js';

export interface ExamineOptions {
  /** Path of the SQLite file. */
  readonly database: string;
  /** Name or id of the one bot whose files are looked at; all bots unless given. */
  readonly bot?: string | undefined;
  /** As in `EngineOptions`; an embedder that is given is left open. */
  readonly model?: ModelSource | undefined;
  /** Whether what can be made again is made again. */
  readonly repair?: boolean | undefined;
}

export interface Examination {
  /** Absolute path. */
  readonly database: string;
  /** The worst state of all findings. */
  readonly state: Finding['state'];
  readonly findings: readonly Finding[];
  /** What was done, a sentence each; empty unless it was asked for and needed. */
  readonly repaired: readonly string[];
}

/**
 * Looks for all that can be wrong with a database: its structure, its counts, the checksums of its rows, passages and
 * postings against the texts, the model, the HNSW snapshot, the disk, the native modules. With `repair`, what can be made
 * again is, in one transaction, and the findings are those afterwards. Throws `INDEX_MISSING`, `BOT_MISSING`,
 * `DATABASE_TOO_NEW`, `DATABASE_UNWRITABLE`, and `DATABASE_DAMAGED` for what cannot be mended.
 */
export async function examine(options: ExamineOptions): Promise<Examination> {
  const file = path.resolve(options.database);
  const native = checkNativeModules();
  if (sqliteUnavailable()) return examination(file, native, []);
  const opened = open(file, options);
  const shared = [...native, checkFreeSpace(file), ...opened.findings];
  const { database } = opened;
  if (!database) return examination(file, shared, opened.repaired);
  const closing: (() => Promise<void>)[] = [];
  try {
    const patient: Patient = { file, database, bots: new Bots(database) };
    const bots = options.bot ? [new BotAdministration(patient.bots).find(options.bot)] : patient.bots.list();
    const patients: BotPatient[] = [];
    for (const bot of bots) patients.push(await patientOf(bot, { ...patient, model: options.model, closing }));
    const findings = await lookAt(patient, patients);
    const needed = findings.some(({ remedy }) => remedy === REPAIR);
    if (!options.repair || !needed) return examination(file, [...shared, ...findings], opened.repaired);
    // Bots of one model share embeddings: what is damaged of one bot may be another's as well.
    const others = sharing(patient).filter((number) => bots.every((bot) => bot.number !== number));
    const all = [...patients];
    for (const number of others) {
      all.push(await patientOf(patient.bots.get(number), { ...patient, model: options.model, closing }));
    }
    const repaired = [...opened.repaired, ...(await repairAll(patient, all))];
    for (const bot of all) repaired.push(...(await measureAgain(bot)), ...(await embedAgain(bot)));
    return examination(file, [...shared, ...(await lookAt(patient, patients))], repaired);
  } catch (error) {
    throw databaseError(error, file);
  } finally {
    for (const close of closing) await close();
    database.close();
  }
}

/** The database, where its pages and tables are such that rows can be looked at. */
function open(
  file: string,
  { repair = false }: ExamineOptions,
): { database?: Database; findings: Finding[]; repaired: string[] } {
  const repaired: string[] = [];
  let database: Database | undefined;
  try {
    database = openAsIs(file);
    let schema = readSchema(database, file);
    if (repair && schema.found !== undefined && schema.found !== schema.version) {
      database.pragma(`user_version = ${schema.found}`);
      repaired.push(`Wrote down that the schema is version ${schema.found}.`);
      schema = readSchema(database, file);
    }
    const findings = [checkSchema(schema)];
    const structure = structureOf(database);
    if (structure.malformed.length > 0 || schema.found !== schema.version) {
      database.close();
      return { findings: [...findings, checkStructure(structure)], repaired };
    }
    if (schema.version < MIGRATIONS.length) {
      database.close();
      database = openDatabase(file, { create: false });
      findings[0] = { ...checkSchema(readSchema(database, file)), check: 'schema' };
    }
    return { database, findings, repaired };
  } catch (error) {
    database?.close();
    const told = databaseError(error, file);
    if (!(told instanceof WaymarkError) || told.code !== 'DATABASE_DAMAGED') throw told;
    const remedy = 'index again into a new file, with --database';
    return { findings: [{ check: 'structure', state: 'damaged', message: told.message, remedy }], repaired };
  }
}

async function lookAt(patient: Patient, bots: readonly BotPatient[]): Promise<Finding[]> {
  const { database } = patient;
  // What other processes change meanwhile is not seen: one half of a change would look like damage.
  database.exec('BEGIN');
  try {
    const findings = [checkStructure(structureOf(database)), checkEmbeddings(patient), checkChanges(patient)];
    for (const bot of bots) findings.push(...(await examineBot(bot)));
    return findings;
  } finally {
    database.exec('COMMIT');
  }
}

async function patientOf(
  bot: BotRow,
  { model, closing, ...patient }: Patient & { model: ModelSource | undefined; closing: (() => Promise<void>)[] },
): Promise<BotPatient> {
  const recorded = patient.bots.modelOf(bot.number);
  let embedder: Embedder | undefined;
  let failure: Error | undefined;
  try {
    const source = model ?? recordedModel(patient.bots, bot);
    const opened = await openEmbedder(source);
    embedder = opened.embedder;
    if (opened.location) closing.push(() => opened.embedder.close());
  } catch (error) {
    failure = error as Error;
  }
  const pools = new Map<string, ParsePool>();
  closing.push(async () => {
    for (const pool of pools.values()) await pool.close();
  });
  const parserOf: BotPatient['parserOf'] = ({ budget, embedBreadcrumb }) => {
    if (!embedder) throw new RangeError('without its model a text is not cut');
    const { card, counter } = embedder;
    const name = `${budget} ${embedBreadcrumb}`;
    const cutting = cuttingOf({ passageTokens: budget, embedBreadcrumb }, card);
    const pool = pools.get(name) ?? new ParsePool({ counter, cutting, maxTokens: card.maxTokens });
    pools.set(name, pool);
    return pool;
  };
  return { ...patient, bot, recorded, embedder, failure, parserOf };
}

/** Numbers of the bots that have passages with a damaged embedding. */
function sharing(patient: Patient): number[] {
  return patient.database
    .prepare<[string], number>(
      `SELECT DISTINCT bot FROM passages JOIN files ON files.number = +file
       WHERE +embedding IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .all(JSON.stringify(embeddingsOf(patient).damaged));
}

/** What was measured of a model's cosines is measured again where it is found to be otherwise. */
async function measureAgain({ embedder, recorded, bots }: BotPatient): Promise<string[]> {
  if (!embedder || !recorded || embedder.card.similarity) return [];
  const known = bots.similarityOf(recorded.number);
  const measured = await measureSimilarity(embedder);
  if (!known || (known.unrelated === measured.unrelated && known.related === measured.related)) return [];
  bots.setSimilarity(recorded.number, measured);
  return [`Measured the cosines of ${embedder.card.id} again.`];
}

function examination(database: string, findings: readonly Finding[], repaired: readonly string[]): Examination {
  const states = findings.map(({ state }) => state);
  const state = states.includes('damaged') ? 'damaged' : states.includes('warning') ? 'warning' : 'ok';
  return { database, state, findings, repaired };
}
