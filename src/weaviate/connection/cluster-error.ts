import { WaymarkError, type WaymarkErrorCode } from '../../domain/errors.js';
import { NodeCutOff } from './membership.js';

/** The messages of the client if a node does not answer, or of a node if another one does not: it may answer later. */
const UNREACHABLE = new RegExp(
  [
    ...['UNAVAILABLE', 'ECONN', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'fetch failed', 'socket hang up', 'terminated'],
    ...['timed out', 'timeout', 'DEADLINE', 'CANCELLED', 'canceled', 'shutting down', 'shutdown'],
    ...['connection refused', 'connection reset', 'broken pipe', 'no route to host', '\\bEOF\\b'],
  ].join('|'),
  'i',
);

/** The messages of a node that cannot reach enough of the others. */
const TOO_FEW_REPLICAS = /not enough replicas|consistency level|cannot reach|leader not found|no leader|broadcast/i;

/** The message of a node about the tenant of a bot that was deleted, or that another node has just created. */
const NO_TENANT = /(?:tenant|shard) not found/i;

/** What is wrong, by what the client's message says; the first match counts. */
const KINDS: readonly (readonly [RegExp, WaymarkErrorCode, advice: string])[] = [
  [
    /UNAUTHENTICATED|PERMISSION_DENIED|\b40[13]\b|unauthorized|forbidden/i,
    'CLUSTER_UNAUTHORIZED',
    'The cluster does not accept the API key: check it, and what it may do',
  ],
  [/no space left|disk.*(?:full|usage)|read-?only/i, 'DISK_FULL', 'A node of the cluster has no space left'],
  [
    TOO_FEW_REPLICAS,
    'CLUSTER_UNAVAILABLE',
    'Too few replicas are up: see "waymark status", and start the nodes that are down',
  ],
  [NO_TENANT, 'BOT_MISSING', 'The bot was deleted: open another one'],
  [UNREACHABLE, 'CLUSTER_UNAVAILABLE', 'No node of the cluster answers: check the addresses, and that the nodes run'],
];

/** Whether a request that failed with an error of the client may succeed on another node, or a moment later. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof NodeCutOff) return true;
  const message = messageOf(error);
  return UNREACHABLE.test(message) || TOO_FEW_REPLICAS.test(message) || NO_TENANT.test(message);
}

/** Whether a node has answered that too few others do: a better reason than that another node does not answer. */
export function isTooFewReplicas(error: unknown): boolean {
  return error instanceof NodeCutOff || TOO_FEW_REPLICAS.test(messageOf(error));
}

/** What the client threw, as Waymark reports it. */
export function clusterError(error: unknown, hosts: readonly string[]): WaymarkError {
  if (error instanceof WaymarkError) return error;
  const { code, advice } = kindOf(error);
  return new WaymarkError(code, `${advice}. The cluster is ${hosts.join(', ')}.`, { cause: error });
}

function kindOf(error: unknown): { code: WaymarkErrorCode; advice: string } {
  if (error instanceof NodeCutOff) return { code: 'CLUSTER_UNAVAILABLE', advice: error.message };
  const message = messageOf(error);
  const [, code, advice] = KINDS.find(([pattern]) => pattern.test(message)) ?? [];
  if (code && advice) return { code, advice };
  return { code: 'CLUSTER_FAILED', advice: `The cluster answered with an error (${firstLine(message)})` };
}

/** The messages of an error and its causes: the client wraps the errors of nodes. */
function messageOf(error: unknown): string {
  const messages: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause) {
    messages.push(one.message, (one as NodeJS.ErrnoException).code ?? '');
    if (one instanceof AggregateError) messages.push(...one.errors.map(messageOf));
  }
  return messages.filter((message) => message !== '').join('\n');
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.trim().slice(0, 300) ?? '';
}
