import { amountOf } from '#src/domain/excess.js';
import { LIMITS, type Limit } from '#src/domain/limits.js';
import { table } from './table.js';

const INTRODUCTION = `# Limits

<!-- Generated from src/domain/limits.ts by "npm run docs": edit the table there, not this file. -->

A value beyond a limit is refused with a message that has the limit's name and value; in process, the code of the error
is \`INVALID_ARGUMENT\` unless another one is given. Where no status is given, nothing is refused: the last column says
what happens. What a service handles at a time is in [operations](../operations.md#limits).
`;

/** Every limit of calls, requests, files and answers. */
export function limitsPage(): string {
  const rows = Object.values(LIMITS).map((limit: Limit) => {
    const beyond = [limit.status, limit.code && `\`${limit.code}\``].filter(Boolean).join(' ');
    const value = limit.option ? `${amountOf(limit)}, or \`${limit.option}\`` : amountOf(limit);
    return [limit.name, value, beyond, limit.purpose];
  });
  return `${INTRODUCTION}\n${table(['limit', 'at most', 'beyond', 'of what'], rows)}`;
}
