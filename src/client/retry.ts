import { setTimeout } from 'node:timers/promises';
import type { Reply } from './reply.js';

/** Time and chance, which tests replace. */
export interface Clock {
  /** Waits for some milliseconds; rejects when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** A number from 0 to 1, excluding 1. */
  readonly random: () => number;
}

/** Waits in real time. */
export const realClock: Clock = {
  async wait(milliseconds, signal) {
    await setTimeout(milliseconds, undefined, signal && { signal });
  },
  random: Math.random,
};

/** A request that would have to wait longer, in milliseconds, fails instead. */
const MAX_WAIT = 60_000;

/** Maximum wait before the first retry, in milliseconds; it doubles with each further one. */
const FIRST_WAIT = 500;

/** Wait after a rate limit that names no time, in milliseconds. */
const LIMITED_WAIT = 1000;

/** Maximum delay added to the time that a server names, in milliseconds. */
const NAMED_JITTER = 250;

/**
 * Milliseconds to wait before a request is sent again; undefined if that is not safe or takes too long. A rate-limited
 * request did nothing. One without a proper answer may have been carried out, so only a GET is repeated. `reply` is
 * undefined if no answer came. Waits are random in part, so that clients that failed together do not return together:
 * half of an exponential wait ("equal jitter", Brooker, Exponential Backoff And Jitter, 2015), and a little after the
 * time that the server names.
 */
export function retryWait(
  reply: Reply | undefined,
  { method, attempt, random }: { method: string; attempt: number; random: Clock['random'] },
): number | undefined {
  if (reply?.status === 429) {
    // Retry-After is specific to this refusal; RateLimit-Reset is about the minute's quota, which may not be used up.
    const wait = retryAfter(reply) ?? millisecondsOf(reply.header('ratelimit-reset')) ?? LIMITED_WAIT;
    return afterNamed(wait, random);
  }
  const isUnanswered = !reply || [502, 503, 504].includes(reply.status);
  if (method !== 'GET' || !isUnanswered) return undefined;
  const half = (FIRST_WAIT * 2 ** attempt) / 2;
  const backoff = half + random() * half;
  const named = (reply && retryAfter(reply)) ?? 0;
  return named > backoff ? afterNamed(named, random) : backoff;
}

function afterNamed(wait: number, random: Clock['random']): number | undefined {
  return wait <= MAX_WAIT ? wait + random() * NAMED_JITTER : undefined;
}

/** The three forms of a date in RFC 9110, section 5.6.7. `Date.parse` reads many other texts as dates. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** The wait that Retry-After names, in seconds or as a date; undefined if there is none that can be read. */
function retryAfter({ header }: Reply): number | undefined {
  const given = header('retry-after') ?? '';
  const end = timeOf(given);
  if (end === undefined) return millisecondsOf(given);
  // Both dates by the clock of the server, if it tells: the client's clock may be wrong.
  return Math.max(0, end - (timeOf(header('date')) ?? Date.now()));
}

function timeOf(date = ''): number | undefined {
  if (!HTTP_DATES.some((form) => form.test(date))) return undefined;
  // The oldest form does not name its time zone, which is GMT as well.
  return Date.parse(`${date.replace(/ GMT$/, '')} GMT`) || undefined;
}

function millisecondsOf(seconds = ''): number | undefined {
  return /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
