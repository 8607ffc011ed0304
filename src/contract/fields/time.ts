import { z } from '../../domain/zod.js';

const TIME = 'an ISO 8601 time such as 2030-01-31T12:00:00Z, at most 14 hours from UTC';

/** The last time whose year has four digits in UTC. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** A time. It is stored in UTC, so that times can be compared, and no place is further from UTC than 14 hours. */
const timeSchema = z.iso
  .datetime({ offset: true })
  .refine((text) => isOffset(text) && Date.parse(text) <= LAST)
  .transform((text) => new Date(text).toISOString());

/** What a time to come must be. */
export const FUTURE_TIME = TIME.replace('time', 'time to come');

/** A time to come. */
export const futureTimeSchema = timeSchema.refine((time) => Date.parse(time) > Date.now());

/** How far ahead the hosted API lets a file expire, in days. */
const FILE_LIFETIME = 90;

/** What the expiry of a file must be. */
export const FILE_EXPIRY = `an ISO 8601 time within the next ${FILE_LIFETIME} days, at most 14 hours from UTC`;

/** When a file expires. */
export const fileExpirySchema = futureTimeSchema.refine(
  (time) => Date.parse(time) <= Date.now() + FILE_LIFETIME * 86_400_000,
);

function isOffset(text: string): boolean {
  const [, hours, minutes] = /[+-](\d\d):(\d\d)$/.exec(text) ?? [];
  return hours === undefined || Number(hours) * 60 + Number(minutes) <= 14 * 60;
}
