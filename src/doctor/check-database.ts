import { checkChanges } from './checks/changes.js';
import { checkEmbeddings } from './checks/embeddings.js';
import { checkFiles } from './checks/files.js';
import { checkModel } from './checks/model.js';
import { checkPassages } from './checks/passages.js';
import { checkPostings } from './checks/postings.js';
import { checkSettings } from './checks/settings.js';
import { checkSnapshot } from './checks/snapshot.js';
import { checkStructure, inspectStructure } from './checks/structure.js';
import type { BotContext, DoctorContext } from './context.js';
import type { Finding } from './finding.js';
import { inspectBot } from './inspect-bot.js';

/**
 * Checks what all bots share, then each of the given bots, all on one snapshot: half of a change by another process
 * would look like damage. A check that throws leaves the snapshot open; closing the connection ends it.
 */
export async function checkDatabase(context: DoctorContext, bots: readonly BotContext[]): Promise<Finding[]> {
  const { connection } = context;
  connection.exec('BEGIN');
  const findings = [
    checkStructure(inspectStructure(connection)),
    checkEmbeddings(context),
    checkChanges(context),
    checkSettings(context),
  ];
  for (const bot of bots) findings.push(...(await checkBot(bot)));
  connection.exec('COMMIT');
  return findings;
}

async function checkBot(context: BotContext): Promise<Finding[]> {
  const { files, passages, postings, texts } = await inspectBot(context);
  return [
    checkFiles(context, files),
    await checkModel(context),
    checkPassages(context, passages, texts?.files),
    checkPostings(context, postings, texts?.postings),
    await checkSnapshot(context),
  ];
}
