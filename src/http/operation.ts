import type { z } from 'zod';
import type { BotAdministration, BotFiles } from '../index.js';
import type { ErrorType } from './http-error.js';

/** What a token may do: `search` is part of `files`, both are part of `admin`. */
export type Permission = 'search' | 'files' | 'admin';

/** The parts of a request, each an object schema; a handler gets them as one flat object. */
export interface Parts {
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
}

type Part<P> = P extends z.ZodObject ? z.output<P> : unknown;
type RequestOf<P extends Parts> = Part<P['body']> & Part<P['query']> & Part<P['path']>;

export interface Call<Request, Target> {
  readonly request: Request;
  readonly target: Target;
  /** Address that the caller reaches us by, without a slash at the end. */
  readonly base: string;
  /** Bytes of an uploaded file at most. */
  readonly uploadLimit: number;
  /** Sets a header of the answer. */
  readonly header: (name: string, value: string) => void;
  /** Aborted when the caller has hung up or waited too long. */
  readonly signal: AbortSignal;
}

/** One row of the contract: everything that routes, checks and documents it. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** As OpenAPI writes it: `/v1/files/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly permission: Permission;
  readonly parts: Parts;
  readonly response: z.ZodObject;
  /** Headers of the answer, with what they say. */
  readonly headers: Readonly<Record<string, string>>;
  /** Beside those that every operation may answer. */
  readonly errors: readonly ErrorType[];
  /** Whether it makes texts that wait for their embeddings. */
  readonly embeds: boolean;
  /** Whether it is one of the bounded number of searches. */
  readonly searches: boolean;
  handle(call: Call<never, never>): Promise<object>;
}

interface Definition<P extends Parts, Target> {
  readonly id: string;
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly parts?: P;
  readonly response: z.ZodObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly ErrorType[];
  readonly embeds?: true;
  readonly searches?: true;
  handle(call: Call<RequestOf<P>, Target>): Promise<object>;
}

/** An operation on the files of the bot that `x-bot-id` names. */
export function fileOperation<P extends Parts>(
  definition: Definition<P, BotFiles> & { readonly permission: 'search' | 'files' },
): Operation {
  return complete(definition);
}

/** An operation on the bots of the workspace that `x-workspace-id` names. */
export function adminOperation<P extends Parts>(definition: Definition<P, BotAdministration>): Operation {
  return complete({ ...definition, permission: 'admin' });
}

function complete<P extends Parts, Target>(
  definition: Definition<P, Target> & { readonly permission: Permission },
): Operation {
  return {
    parts: {},
    errors: [],
    headers: {},
    ...definition,
    embeds: definition.embeds ?? false,
    searches: definition.searches ?? false,
    handle: (call) => definition.handle(call),
  };
}
