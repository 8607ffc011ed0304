import { WaymarkError } from '../domain/errors.js';
import { MAX_ID } from './vector-index.js';

/** Throws `INVALID_ARGUMENT` unless the id is an integer in 0..`MAX_ID`. */
export function checkId(id: number): void {
  if (!Number.isInteger(id) || id < 0 || id > MAX_ID) {
    throw new WaymarkError('INVALID_ARGUMENT', `The id is ${id}: give an integer from 0 to ${MAX_ID}.`);
  }
}

/** Throws `INVALID_ARGUMENT` unless the limit, or what else is named, is an integer of at least 1. */
export function checkLimit(limit: number, name = 'limit'): void {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new WaymarkError('INVALID_ARGUMENT', `The ${name} is ${limit}: give an integer of at least 1.`);
  }
}

/** Most dimensions a vector may have: far above every model, and a guard against absurd memory. */
const MAX_DIMENSIONS = 65_536;

/** Throws `INVALID_ARGUMENT` unless the dimensions are an integer from 1 to 65,536. */
export function checkDimensions(dimensions: number): void {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw new WaymarkError(
      'INVALID_ARGUMENT',
      `The dimensions are ${dimensions}: give an integer from 1 to ${MAX_DIMENSIONS}.`,
    );
  }
}
