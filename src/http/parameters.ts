import type { FastifyRequest } from 'fastify';

/** The parser of queries that Fastify is given. */
export function parseQuery(text: string): Record<string, unknown> {
  return new URLSearchParams(text) as object as Record<string, unknown>;
}

/** The parameters of a request's URL, decoded. */
export function parametersOf({ query }: Pick<FastifyRequest, 'query'>): URLSearchParams {
  return query as URLSearchParams;
}
