import { WaymarkError } from '../domain/errors.js';
import { MAX_ID } from './vector-index.js';

/** Throws `INVALID_ARGUMENT` unless the id is an integer from 0 to `MAX_ID`. */
export function checkId(id: number): void {
  if (!Number.isInteger(id) || id < 0 || id > MAX_ID) {
    throw new WaymarkError('INVALID_ARGUMENT', `The id is ${id}: pass an integer from 0 to ${MAX_ID}.`);
  }
}

/** Throws `INVALID_ARGUMENT` unless the limit, or the argument called `name`, is an integer of at least 1. */
export function checkLimit(limit: number, name = 'limit'): void {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new WaymarkError('INVALID_ARGUMENT', `The ${name} is ${limit}: pass an integer of at least 1.`);
  }
}

/** Far above every model: a guard against absurd amounts of memory. */
const MAX_DIMENSIONS = 65_536;

/** Throws `INVALID_ARGUMENT` unless the dimensions are an integer from 1 to 65,536. */
export function checkDimensions(dimensions: number): void {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw new WaymarkError(
      'INVALID_ARGUMENT',
      `The dimensions are ${dimensions}: pass an integer from 1 to ${MAX_DIMENSIONS}.`,
    );
  }
}
