import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished } from 'vitest';

/** What validates answers, by document: most services of the tests have the same, and compiling its schemas is slow. */
const validators = new Map<string, Ajv2020>();

function validatorOf(document: string): Ajv2020 {
  const found = validators.get(document);
  if (found) return found;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(JSON.parse(document), 'api');
  validators.set(document, ajv);
  return ajv;
}

/** Checks every JSON answer of the server against its OpenAPI document; a mismatch fails the test. */
export async function checkAnswers(app: FastifyInstance): Promise<void> {
  const problems: string[] = [];
  onTestFinished(() => expect(problems).toEqual([]));
  let known: Promise<Ajv2020> | undefined;
  const read = async () => {
    // From an address of its own, so that it does not count for the rate limits of tests.
    const headers = { host: 'localhost' };
    const document = await app.inject({ url: '/openapi.json', headers, remoteAddress: '127.0.0.2' });
    return validatorOf(document.body);
  };
  app.addHook('onSend', async (request, reply, payload) => {
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload;
    const route = request.routeOptions.url?.replace(/:(\w+)/g, '{$1}');
    // A caller that disconnected gets no answer; one that waits for an earlier answer is not destroyed with the socket.
    if (reply.raw.destroyed || request.socket.destroyed) return payload;
    if (request.method === 'HEAD' || route === '/openapi.json' || typeof payload !== 'string' || payload === '')
      return payload;
    known ??= read();
    const ajv = await known;
    const place = `${request.method} ${route ?? request.url.split('?')[0]} ${reply.statusCode}`;
    const path = encodeURIComponent((route ?? '').replaceAll('/', '~1'));
    const operation = `api#/paths/${path}/${request.method.toLowerCase()}`;
    const pointer = `${operation}/responses/${reply.statusCode}/content/application~1json/schema`;
    const isOurs = route?.startsWith('/v1/') === true && reply.statusCode !== 405;
    const reference = isOurs ? pointer : 'api#/components/schemas/Error';
    if (reply.statusCode === 200 && !isOurs) return payload;
    const validate = ajv.getSchema(reference);
    if (!validate) problems.push(`${place} is not in the document`);
    else if (!validate(JSON.parse(payload)))
      problems.push(`${place}: ${ajv.errorsText(validate.errors)} in ${payload}`);
    return payload;
  });
}
