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

/** Maximum delay added to the time that a rate limit names, in milliseconds. */
const LIMITED_JITTER = 250;

/**
 * Milliseconds to wait before a request is sent again; undefined if that is not safe or takes too long. A rate-limited
 * request did nothing. One without a proper answer may have been carried out, so only a GET is repeated. `reply` is
 * undefined if no answer came. Waits are random in part, so that clients that failed together do not return together:
 * half of an exponential wait ("equal jitter", Brooker, Exponential Backoff And Jitter, 2015), and a little after the
 * time that a rate limit names.
 */
export function retryWait(
  reply: Reply | undefined,
  { method, attempt, random }: { method: string; attempt: number; random: Clock['random'] },
): number | undefined {
  if (reply?.status === 429) {
    const wait = limitedFor(reply);
    return wait <= MAX_WAIT ? wait + random() * LIMITED_JITTER : undefined;
  }
  const isUnanswered = !reply || [502, 503, 504].includes(reply.status);
  if (method !== 'GET' || !isUnanswered) return undefined;
  const half = (FIRST_WAIT * 2 ** attempt) / 2;
  return half + random() * half;
}

function limitedFor(reply: Reply): number {
  // Retry-After is specific to this refusal; RateLimit-Reset is about the minute's quota, which may not be used up.
  const named = [reply.header('retry-after'), reply.header('ratelimit-reset')];
  const seconds = named.find((text = '') => /^\d{1,9}$/.test(text));
  return seconds === undefined ? LIMITED_WAIT : Number(seconds) * 1000;
}
