import type { FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a server bound to this address can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host) || host === '::1';
}

/**
 * Refuses requests that a page of another site makes a browser send here: they name that site in `Origin`, or in `Host`
 * if the site's name resolves to this machine (DNS rebinding).
 */
export function checkLoopback({ headers }: FastifyRequest, publicUrl: string | undefined): void {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isOurs = (url: URL | undefined) => url && (LOOPBACK.test(url.hostname) || url.host === known?.host);
  if (!isOurs(urlOf(`http://${headers.host ?? ''}`))) {
    throw new HttpError('Forbidden', 'The Host header must name this machine: use 127.0.0.1 or localhost.');
  }
  if (headers.origin !== undefined && !isOurs(urlOf(headers.origin))) {
    throw new HttpError('Forbidden', 'Pages of other sites may not call this service: Origin must be this machine.');
  }
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
