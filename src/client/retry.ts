import { setTimeout } from 'node:timers/promises';
import type { Reply } from './reply.js';

/** Waits so many milliseconds; rejects when the signal fires. */
export type Wait = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

export const realWait: Wait = async (milliseconds, signal) => {
  await setTimeout(milliseconds, undefined, signal && { signal });
};

/** Who has to wait longer than this is told so instead. */
const MAX_WAIT = 60_000;

/** Before the first retry; doubled before each further one. */
const FIRST_WAIT = 250;

/** Where a server that limits does not say for how long. */
const LIMITED_WAIT = 1000;

/**
 * Milliseconds to wait before a request is sent again; undefined where that would not be safe or would take too long. A
 * request that was refused for its rate did nothing; one without a proper answer may have done its work, so it is sent
 * again only if it reads. `reply` is undefined where no answer came.
 */
export function retryWait(
  reply: Reply | undefined,
  { method, attempt }: { method: string; attempt: number },
): number | undefined {
  if (reply?.status === 429) {
    const wait = limitedFor(reply);
    return wait <= MAX_WAIT ? wait : undefined;
  }
  const isUnanswered = !reply || [502, 503, 504].includes(reply.status);
  return method === 'GET' && isUnanswered ? FIRST_WAIT * 2 ** attempt : undefined;
}

function limitedFor(reply: Reply): number {
  const seconds = reply.header('ratelimit-reset') ?? reply.header('retry-after') ?? '';
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : LIMITED_WAIT;
}
