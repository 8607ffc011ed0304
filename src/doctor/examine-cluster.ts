import { findBot } from '../accounts/administration.js';
import { counted } from '../contract/wording.js';
import { assertNotAborted } from '../domain/abortable.js';
import { hasCode } from '../domain/errors.js';
import { stemOf } from '../sqlite/postings/stems.js';
import type { BotRecord } from '../storage/accounts.js';
import type { StorageNode } from '../storage/storage.js';
import type { ClusterOptions } from '../weaviate/connection/cluster-options.js';
import type { InspectedBot, InspectedCluster } from '../weaviate/inspect-cluster.js';
import { be } from './describe.js';
import type { Examination, ExamineOptions } from './examination.js';
import { type Finding, REPAIR } from './finding.js';

/**
 * Checks a cluster: its nodes and schema, and of each bot the replicas, unfinished writes, and passages against files.
 * With `repair` it removes what unfinished writes have left.
 */
export async function examineCluster(
  cluster: ClusterOptions,
  { bot: chosen, repair = false, signal }: ExamineOptions,
): Promise<Pick<Examination, 'findings' | 'repaired'>> {
  const { inspectCluster } = await import('../weaviate/inspect-cluster.js');
  const opened = await inspectCluster(cluster, { stem: stemOf });
  try {
    const findings = [nodesFinding(opened.nodes)];
    const repaired: string[] = [];
    const bots = chosen === undefined ? await opened.list() : [await findBot(opened.accounts.bots, chosen)];
    for (const bot of bots) {
      assertNotAborted(signal);
      let found = await findingsOf(opened, bot);
      if (repair && found.some(({ remedy }) => remedy === REPAIR)) {
        await opened.repair(bot);
        found = await findingsOf(opened, bot);
        repaired.push(`Bot "${bot.name}": what unfinished writes had left was removed.`);
      }
      findings.push(...found);
    }
    return { findings, repaired };
  } finally {
    opened.close();
  }
}

async function findingsOf(opened: InspectedCluster, bot: BotRecord): Promise<Finding[]> {
  try {
    return botFindings(await opened.inspect(bot));
  } catch (error) {
    if (!hasCode(error, 'BOT_MISSING')) throw error;
    // Somebody may have deleted it meanwhile.
    if (!(await opened.accounts.bots.find(bot.id))) return [];
    const message = 'It was deleted in part: the call that deletes it did not end.';
    return [{ check: 'passages', bot: bot.name, state: 'damaged', message, remedy: `waymark bot delete ${bot.id}` }];
  }
}

function nodesFinding(nodes: readonly StorageNode[]): Finding {
  const down = nodes.filter(({ isHealthy }) => !isHealthy).map(({ name }) => name);
  if (down.length > 0) {
    const verb = down.length === 1 ? 'does' : 'do';
    const message = `Of ${counted(nodes.length, 'node')}, ${down.join(' and ')} ${verb} not answer.`;
    const remedy = 'start what is down, restart what was cut off from the others, or remove it from the cluster';
    return { check: 'cluster', state: 'warning', message, remedy };
  }
  const versions = [...new Set(nodes.map(({ version }) => version))].join(' and ');
  const answering = nodes.length === 1 ? '1 node answers' : `${nodes.length} nodes answer`;
  return { check: 'cluster', state: 'ok', message: `${answering}, with Weaviate ${versions}.` };
}

function botFindings({ bot, nodes, named, stored, writes, abandoned }: InspectedBot): Finding[] {
  const ofBot = { check: 'passages', bot: bot.name } as const;
  const findings: Finding[] = [];
  if (abandoned > 0) {
    const message = `${counted(abandoned, 'unfinished write')} of processes that have died ${be(abandoned)} left.`;
    findings.push({ ...ofBot, state: 'warning', message, remedy: REPAIR });
  }
  // While files are written, the numbers differ.
  if (writes === 0 && stored > named) {
    const message = `${counted(stored - named, 'passage')} ${stored - named === 1 ? 'belongs' : 'belong'} to no file.`;
    findings.push({ ...ofBot, state: 'warning', message, remedy: REPAIR });
  }
  if (writes === 0 && stored < named) {
    const message = `${counted(named - stored, 'passage')} of files ${be(named - stored)} missing.`;
    findings.push({ ...ofBot, state: 'damaged', message, remedy: 'index the folders again with --verify' });
  }
  const held = nodes.flatMap(({ passages }) => passages ?? []);
  if (writes === 0 && new Set(held).size > 1) {
    const message = `The replicas have different numbers of passages: ${held.join(', ')}.`;
    const remedy = 'wait until the nodes that were down have caught up; see docs/deploy/README.md';
    findings.push({ ...ofBot, state: 'warning', message, remedy });
  }
  if (findings.length > 0) return findings;
  return [{ ...ofBot, state: 'ok', message: `${stored} passages in ${held.length} replicas belong to its files.` }];
}
