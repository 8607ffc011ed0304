import type { WaymarkErrorCode } from '../domain/errors.js';
import type { z } from '../domain/zod.js';

/** What a token may do. `files` includes `search`; `admin` includes both. */
export type Permission = 'search' | 'files' | 'admin';

/** One operation of the contract. Its validation, calls and documentation all derive from this object. */
export interface Operation {
  /** The name of its method. */
  readonly id: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly permission: Permission;
  /** One flat object, in process and over HTTP alike. */
  readonly request: z.ZodObject;
  readonly response: z.ZodObject;
  /** Error codes that only some operations raise. */
  readonly errors: readonly WaymarkErrorCode[];
}

/**
 * An operation with a route. Fields that the path names in braces travel in the path, those of `requestHeaders` in
 * headers; the others in the query of a GET or DELETE and in the JSON body of a POST or PUT: see `placeOf`.
 */
export interface HttpOperation extends Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As OpenAPI writes it: `/v1/files/{id}`. */
  readonly path: `/${string}`;
  /** Fields that travel in a header, with its name. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Headers of the answer, each with its meaning. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Whether it creates texts to embed: the service refuses it while too many files wait for indexing. */
  readonly embeds?: true;
  /** Whether it needs no `x-workspace-id`: it is about workspaces, and the token has one. */
  readonly withoutWorkspaceId?: true;
  /** Whether it searches: the service limits concurrent searches. */
  readonly searches?: true;
}

/** Where a field of a request travels. */
export function placeOf(
  { method, path, requestHeaders = {} }: HttpOperation,
  field: string,
): 'path' | 'header' | 'query' | 'body' {
  if (Object.hasOwn(requestHeaders, field)) return 'header';
  if (path.includes(`{${field}}`)) return 'path';
  return hasBody(method) ? 'body' : 'query';
}

/** Whether requests of a method have a JSON body. */
export function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PUT';
}

/** A request as a caller writes it: fields with a default may be missing, and nothing is changed. */
export type RequestOf<Op extends Operation> = Immutable<z.input<Op['request']>>;

/** A validated request: defaults are filled in. */
export type ValidRequestOf<Op extends Operation> = z.output<Op['request']>;

/** An answer: an optional field is present or missing, never undefined. */
export type ResponseOf<Op extends Operation> = Exact<z.output<Op['response']>>;

type Immutable<T> = T extends Uint8Array
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Immutable<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Immutable<T[Key]> }
      : T;

type Exact<T> = T extends readonly (infer Item)[]
  ? readonly Exact<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Exact<Exclude<T[Key], undefined>> }
    : T;
