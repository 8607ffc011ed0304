import type { FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.js';
import type { Settings } from '../server-options.js';

/** What proxies add to a request that they pass on. */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

const WHAT_TO_DO = 'open it on the machine of the database with "waymark ui", or search with a token: see /docs.';

/**
 * Refuses the search page, which needs no token, to everybody but a browser on this machine that shows this page.
 * `isLocal`: whether the service is bound to loopback. `checkLoopback` has checked the `Host` then. `isPart`: what is
 * asked for belongs to a page, so that only the page itself may ask for it.
 */
export function checkPageAccess(
  { headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>,
  { isLocal, settings, isPart }: { isLocal: boolean; settings: Pick<Settings, 'page' | 'publicUrl'>; isPart: boolean },
): void {
  if (!settings.page) throw forbidden(`The search page is switched off here: ${WHAT_TO_DO}`);
  if (!isLocal || settings.publicUrl !== undefined) {
    throw forbidden(`The search page needs no token, and others can reach this service: ${WHAT_TO_DO}`);
  }
  // nginx passes requests on as HTTP/1.0 unless it is told otherwise; browsers speak 1.1 with this service.
  if (raw.httpVersion !== '1.1' || PASSED_ON.some((name) => headers[name] !== undefined)) {
    throw forbidden(`The search page needs no token, and this request came through a proxy: ${WHAT_TO_DO}`);
  }
  const { origin, 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers;
  const isOwn = site === 'same-origin' || site === 'none';
  // A link of another site leads here; nothing of it can be read there.
  const isLink = !isPart && mode === 'navigate' && dest === 'document';
  if ((origin !== undefined && origin !== `http://${headers.host}`) || !(isOwn || isLink)) {
    throw forbidden('Pages of other sites may not use the search page: open it in a tab of its own.');
  }
}

function forbidden(message: string): HttpError {
  return new HttpError('Forbidden', message);
}
