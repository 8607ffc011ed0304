import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from './sdk.js';
import { shownValue } from './shown-value.js';

/** The answer to a message that is refused; `id` is null if the message has none. */
export interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

/** Requests with parameters of their own. */
const REQUESTS = [
  InitializeRequestSchema,
  ListToolsRequestSchema,
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
];

/** The methods of requests that are answered. */
export const METHODS = ['ping', ...REQUESTS.map(({ shape }) => shape.method.value)];

const { InvalidParams, InvalidRequest } = ErrorCode;

/** Levels of lists and objects in a message; those of the tools have six. */
const DEEPEST = 100;

/**
 * The refusal of a message that the protocol does not have, or that has wrong parameters; undefined for a valid one.
 * The SDK would not answer the former, and would answer the latter with the messages of Zod.
 */
export function refusalOf(message: unknown): Refusal | undefined {
  const tooDeep = refusalOfNesting(message);
  if (tooDeep) return tooDeep;
  if (Array.isArray(message)) {
    return refuse(null, InvalidRequest, 'Batches are not supported: send each message on a line of its own.');
  }
  if (typeof message !== 'object' || message === null) {
    return refuse(null, InvalidRequest, `A message must be an object; it is ${shownValue(message)}.`);
  }
  // An answer gets no answer: the other side might answer again.
  if (!('method' in message) && ('result' in message || 'error' in message)) return undefined;
  const [issue] = issuesOf(message);
  if (!issue) return undefined;
  const code = issue.path[0] === 'params' ? InvalidParams : InvalidRequest;
  return refuse(idOf(message), code, sentenceOf(issue, message));
}

/**
 * The refusal of a batch without messages, or with one that is refused: none of its messages is answered then.
 * Undefined for a valid batch.
 */
export function refusalOfBatch(messages: readonly unknown[]): Refusal | undefined {
  const tooDeep = refusalOfNesting(messages);
  if (tooDeep) return tooDeep;
  if (messages.length === 0) return refuse(null, InvalidRequest, 'A batch must have a message; this one is empty.');
  for (const [i, message] of messages.entries()) {
    const refused = refusalOf(message);
    if (refused) return refuse(null, InvalidRequest, `Message ${i + 1} of the batch: ${refused.error.message}`);
  }
  return undefined;
}

/** The refusal of a message or a batch on whose nesting recursive code would fail; undefined for others. */
function refusalOfNesting(message: unknown): Refusal | undefined {
  let level: readonly unknown[] = [message];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) {
      const sentence = `A message may have at most ${DEEPEST} levels of lists and objects: send fewer levels.`;
      return refuse(idOf(message), InvalidRequest, sentence);
    }
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return undefined;
}

/** The id of a request; null if it has none, or an integer too large to be exact: the answer would carry another id. */
export function idOf(message: unknown): Refusal['id'] {
  const { id } = Object(message) as { readonly id?: unknown };
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as Refusal['id']) : null;
}

/** The answer to a message that is refused with a sentence. */
export function refuse(id: Refusal['id'], code: ErrorCode, sentence: string): Refusal {
  return { jsonrpc: '2.0', id, error: { code, message: sentence } };
}

type Issue = NonNullable<ReturnType<typeof JSONRPCRequestSchema.safeParse>['error']>['issues'][number];

function issuesOf(message: object): readonly Issue[] {
  if (!('id' in message)) return JSONRPCNotificationSchema.safeParse(message).error?.issues ?? [];
  const request = JSONRPCRequestSchema.safeParse(message);
  if (!request.success) return request.error.issues;
  const { method, params = {} } = request.data;
  const own = REQUESTS.find(({ shape }) => shape.method.value === method);
  return own?.safeParse({ method, params }).error?.issues ?? [];
}

function sentenceOf(issue: Issue, message: object): string {
  if (issue.code === 'unrecognized_keys') {
    return `A message has no member ${shownValue(issue.keys[0])}: it has jsonrpc, id, method and params.`;
  }
  const names = issue.path.length > 1 && issue.path[0] === 'params' ? issue.path.slice(1) : issue.path;
  const value = issue.path.reduce<unknown>((outer, name) => (outer as Record<PropertyKey, unknown>)?.[name], message);
  return `${names.map(String).join('.')} must be ${ruleOf(issue)}; it is ${shownValue(value)}.`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function ruleOf(issue: Issue): string {
  if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? issue.expected;
  if (issue.code === 'too_big') return `at most ${issue.maximum}`;
  if (issue.code === 'too_small') return `at least ${issue.minimum}`;
  if (issue.code === 'invalid_value') return issue.values.map(shownValue).join(' or ');
  if (issue.code === 'invalid_union') {
    return issue.errors.flatMap(([first]) => (first ? [ruleOf(first)] : [])).join(' or ');
  }
  return 'valid';
}
