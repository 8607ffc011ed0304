import { ERROR_TYPES, type ErrorType } from '../../contract/error-types.js';
import type { OpenApiOperation } from './openapi-document.js';

/** Error types that every operation may answer. */
export const COMMON_ERRORS: readonly ErrorType[] = [
  'InvalidQuery',
  'Unauthorized',
  'Forbidden',
  'ResourceNotFound',
  'LimitExceeded',
  'RateLimited',
  'Internal',
  'OperationTimeout',
];

/** The body of an error answer. */
export const ERROR = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

/** Error answers by status, each with its error types; those of every route are added. */
export function refusals(types: readonly ErrorType[]): OpenApiOperation['responses'] {
  const statuses = new Map<number, Set<string>>([
    [408, new Set(['OperationTimeout'])],
    [417, new Set(['InvalidQuery'])],
    [431, new Set(['LimitExceeded'])],
    [503, new Set(['Internal'])],
    [507, new Set(['Internal'])],
  ]);
  for (const type of types) {
    const { status } = ERROR_TYPES[type];
    statuses.set(status, (statuses.get(status) ?? new Set()).add(type));
  }
  const entries = [...statuses].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    entries.map(([status, names]) => [status, { description: `${[...names].join(' or ')}.`, content: ERROR }]),
  );
}
