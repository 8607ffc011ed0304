import type { FastifyRequest } from 'fastify';
import { HttpError } from './http-error.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host) || host === '::1';
}

/**
 * Refuses what a page of another site makes a browser send here: it names that site in `Origin`, or in `Host` where the
 * site's name has been pointed at this machine (DNS rebinding).
 */
export function checkLoopback({ headers }: FastifyRequest, publicUrl: string | undefined): void {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isOurs = (host: string, hostname: string) => LOOPBACK.test(hostname) || host === known?.host;
  const named = urlOf(`http://${headers.host ?? ''}`);
  if (!named || !isOurs(named.host, named.hostname)) {
    throw new HttpError('Forbidden', 'Host must name this machine: call the service by 127.0.0.1 or localhost.');
  }
  if (headers.origin === undefined) return;
  const origin = urlOf(headers.origin);
  if (!origin || !isOurs(origin.host, origin.hostname)) {
    throw new HttpError('Forbidden', 'Pages of other sites may not call this service: Origin must be this machine.');
  }
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
