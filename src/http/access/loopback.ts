import { BlockList, isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.js';
import type { Settings } from '../server-options.js';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether a listening server can only be reached from this machine. Decided from the addresses that it is bound to:
 * there are many ways to write them.
 */
export function isLocal(app: FastifyInstance): boolean {
  const bound = app.addresses();
  // A string is the path of a socket.
  return bound.every((place) => typeof place === 'string' || isLoopback(place.address));
}

/**
 * Refuses requests that a page of another site makes a browser send here: they name that site in `Origin`, or in `Host`
 * if the site's name resolves to this machine (DNS rebinding). Without `corsOrigins`, the message does not advise
 * listing the origin.
 */
export function checkLoopback(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { publicUrl, corsOrigins }: Pick<Settings, 'publicUrl'> & Partial<Pick<Settings, 'corsOrigins'>>,
): void {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  // With any port: proxies add that of the address to the name, or leave it out.
  const isOurs = (url: URL | undefined) => url && (isThisMachine(url.hostname) || url.hostname === known?.hostname);
  if (!isOurs(urlOf(`http://${headers.host ?? ''}`))) {
    throw new HttpError('Forbidden', 'The Host header must name this machine: use 127.0.0.1 or localhost.');
  }
  const { origin } = headers;
  if (origin !== undefined && !corsOrigins?.includes(origin) && !isOurs(urlOf(origin))) {
    const others = corsOrigins ? ', or be listed with waymark serve --cors-origin' : '';
    const message = `Pages of other sites may not call this service: Origin must name this machine${others}.`;
    throw new HttpError('Forbidden', message);
  }
}

/** `hostname` as a URL has it: addresses of version 6 in brackets. */
function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}

/** Addresses of version 4 may be written as version 6. */
function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
