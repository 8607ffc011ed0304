import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { HttpError } from '../errors/http-error.js';
import { whyNotServed } from '../errors/not-served.js';

const SERVED = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Methods that Node knows and no path has. */
const OTHERS = METHODS.filter((method) => !SERVED.includes(method));

/**
 * Answers 405 to the methods that a path lacks, or 404 to what only the hosted API has, and OPTIONS with those it
 * has. Static paths then win over parameters for every method: DELETE /v1/files/search never deletes a file named
 * "search". A path that ends in two parameters is left out: for another method, what is asked for is more likely a key
 * whose slash is not encoded.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  routes: readonly { readonly method: string; readonly path: string }[],
): void {
  // Without a body, whatever fastify expects of them: it would check that first.
  for (const method of OTHERS) app.addHttpMethod(method, { overrideExisting: true });
  const paths = routes.map((route) => route.path).filter((path) => !path.endsWith('}') || !path.includes('}/{'));
  for (const path of new Set(paths)) {
    const here = routes.filter((route) => route.path === path).map(({ method }) => method);
    const allowed = here.includes('GET') ? [...here, 'HEAD'] : here;
    const allow = [...allowed, 'OPTIONS'].sort().join(', ');
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    app.options(url, (_, reply) => reply.code(204).header('allow', allow).send());
    app.route({
      method: METHODS.filter((method) => method !== 'OPTIONS' && !allowed.includes(method)),
      url,
      async onRequest(request, reply) {
        const { method } = request;
        if (whyNotServed(request) !== undefined) return reply.callNotFound();
        throw new HttpError('MethodNotFound', `${method} is not allowed here: use ${allow}.`, { headers: { allow } });
      },
      handler: () => undefined,
    });
  }
}
