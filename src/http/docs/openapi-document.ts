import type { JsonSchema } from '../../contract/json-schema.js';

/** A parameter of an OpenAPI operation. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  /** How an object is written in a query. */
  readonly style?: 'deepObject';
  readonly explode?: boolean;
  readonly schema: JsonSchema;
}

/** Bodies by media type. */
export type OpenApiContent = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** An answer of an OpenAPI operation. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  readonly content?: OpenApiContent;
}

/** An OpenAPI operation; responses by status. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly JsonSchema[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** The parts of an OpenAPI 3.1 document that this service uses. */
export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: JsonSchema;
}
