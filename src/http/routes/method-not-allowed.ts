import type { FastifyInstance } from 'fastify';
import { HttpError } from '../errors/http-error.js';
import { whyNotServed } from '../errors/not-served.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

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
  const paths = routes.map((route) => route.path).filter((path) => !path.endsWith('}') || !path.includes('}/{'));
  for (const path of new Set(paths)) {
    const here = routes.filter((route) => route.path === path).map(({ method }) => method);
    const allowed = here.includes('GET') ? [...here, 'HEAD'] : here;
    const allow = [...allowed, 'OPTIONS'].sort().join(', ');
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    app.options(url, (_, reply) => reply.code(204).header('allow', allow).send());
    app.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
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
