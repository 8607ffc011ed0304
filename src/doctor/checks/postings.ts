import { counted } from '../../contract/wording.js';
import { postingTable } from '../../sqlite/postings/posting-table.js';
import type { Totals } from '../../sqlite/postings/posting-totals.js';
import type { BotContext } from '../context.js';
import { sqliteMessage } from '../describe.js';
import { type Finding, REPAIR } from '../finding.js';
import { type PostingDigests, readPostings } from './posting-digests.js';
import { type TotalsMismatch, totalsMismatch } from './posting-totals.js';

/** The posting table of a bot, read without the texts. */
export interface PostingsState {
  /** Empty if the table cannot be read. */
  readonly digests: PostingDigests;
  /** Why the table cannot be read or written. */
  readonly fault: string | undefined;
  readonly totals: TotalsMismatch | undefined;
}

/** Reads the posting table of a bot. */
export function inspectPostings(context: BotContext): PostingsState {
  const { connection, bot } = context;
  const table = postingTable(bot.number);
  if (!connection.hasTable(table)) return { digests: new Map(), fault: undefined, totals: undefined };
  try {
    const digests = readPostings(connection, { schema: 'main', table });
    return { digests, fault: averagesFault(context, table), totals: totalsMismatch(context, table) };
  } catch (error) {
    return { digests: new Map(), fault: sqliteMessage(error), totals: undefined };
  }
}

/** `differing`: the number of passages whose postings differ from the texts; undefined if they were not compared. */
export function checkPostings(
  { bot }: BotContext,
  { fault, totals }: PostingsState,
  differing: number | undefined,
): Finding {
  const about = { check: 'postings', bot: bot.name } as const;
  const damaged = (message: string): Finding => ({ ...about, state: 'damaged', message, remedy: REPAIR });
  if (fault !== undefined) return damaged(`The postings are damaged (${fault}).`);
  if (differing) return damaged(`The postings of ${counted(differing, 'passage')} do not match the texts.`);
  if (totals) {
    const [recorded, found] = [describeTotals(totals.recorded), describeTotals(totals.counted)];
    return damaged(`The recorded totals are ${recorded}, but the postings have ${found}: lexical scores are wrong.`);
  }
  if (differing === undefined) {
    const message = 'The postings were not compared with the texts, which requires their model.';
    return { ...about, state: 'warning', message, remedy: 'do what the check of the model says' };
  }
  return { ...about, state: 'ok', message: 'The postings match the texts.' };
}

/** Nothing reads the values of FTS5's own totals, but without this record it refuses every write. */
function averagesFault({ connection }: BotContext, table: string): string | undefined {
  const type = connection.prepare<[], string>(`SELECT typeof(block) FROM ${table}_data WHERE id = 1`).pluck().get();
  return type === 'blob' || type === 'text' ? undefined : "FTS5's averages record is missing";
}

function describeTotals({ passages, terms }: Totals): string {
  return `${counted(passages, 'passage')} and ${counted(terms, 'term')}`;
}
