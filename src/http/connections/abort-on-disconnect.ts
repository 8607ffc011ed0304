import type { FastifyReply } from 'fastify';
import { WaymarkError } from '../../index.js';
import { disconnected, HttpError } from '../errors/http-error.js';
import { whenOver } from './when-over.js';

/**
 * Runs work whose signal fires when the caller disconnects, or after `timeout` milliseconds. Work that only reads then
 * rejects at once, even if it ignores the signal. Work that `changes` something is waited for, so that the answer says
 * what has become of it: it has stopped before it changed anything, or it is done.
 */
export async function abortOnDisconnect<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { reply, timeout, changes }: { reply: FastifyReply; timeout: number; changes: boolean },
): Promise<T> {
  // Not AbortSignal.any with AbortSignal.timeout: in Node 20 the combined signal may be collected before it fires.
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => {
    const message = changes
      ? 'The answer took too long, and nothing was changed: try again, or send less at once.'
      : 'The answer took too long: try again, or request less.';
    controller.abort(new HttpError('OperationTimeout', message));
  }, timeout);
  const stopWaiting = whenOver(reply, () => {
    controller.abort(disconnected());
  });
  try {
    return await (changes ? work(signal) : Promise.race([work(signal), aborted(signal)]));
  } catch (error) {
    throw error instanceof WaymarkError && error.code === 'ABORTED' && signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    stopWaiting();
  }
}

/** Rejects with the reason of the signal once it fires, or if it has. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
