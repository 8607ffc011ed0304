import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv, type AnySchemaObject, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const DEPLOY = fileURLToPath(new URL('../../docs/deploy/', import.meta.url));
const KUBERNETES = path.join(DEPLOY, 'kubernetes');

/** Modules of Go that contain schemas; Go caches them and checks their checksums. */
const COMPOSE_SPEC = 'github.com/compose-spec/compose-go/v2@v2.16.2';
const KUBERNETES_SPEC = 'k8s.io/kubernetes@v1.34.2';

/** The folder of a module. */
function moduleFolder(module: string): string {
  // Outside any module, so that Go does not resolve the dependencies of one.
  const json = execFileSync('go', ['mod', 'download', '-json', module], { cwd: '/', encoding: 'utf8' });
  return (JSON.parse(json) as { Dir: string }).Dir;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The OpenAPI document of a group and version; its objects allow no unknown fields. */
function openApiOf(apiVersion: string, folder: string): AnySchemaObject {
  const name = apiVersion.includes('/') ? `apis__${apiVersion.replace('/', '__')}` : `api__${apiVersion}`;
  const file = path.join(folder, 'api/openapi-spec/v3', `${name}_openapi.json`);
  const document = JSON.parse(readFileSync(file, 'utf8')) as AnySchemaObject;
  for (const schema of Object.values<AnySchemaObject>(document.components.schemas)) {
    if (schema.properties) schema.additionalProperties = false;
  }
  return document;
}

function errorsOf(manifest: Manifest, folder: string): ErrorObject[] {
  const document = openApiOf(manifest.apiVersion, folder);
  const version = manifest.apiVersion.split('/').at(-1);
  const name = Object.keys(document.components.schemas).find((each) => each.endsWith(`.${version}.${manifest.kind}`));
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const validate = ajv.addSchema({ $id: 'api', ...document }).compile({ $ref: `api#/components/schemas/${name}` });
  return validate(manifest) ? [] : (validate.errors ?? []);
}

describe('the manifests for Kubernetes', () => {
  const manifests = readdirSync(KUBERNETES).flatMap((name) =>
    parseAllDocuments(readFileSync(path.join(KUBERNETES, name), 'utf8')).map((document) => document.toJS() as Manifest),
  );

  test('are valid for the API', () => {
    const folder = moduleFolder(KUBERNETES_SPEC);
    const kinds = manifests.map(({ kind }) => kind);
    const needed = ['StatefulSet', 'Deployment', 'Service', 'Secret', 'PodDisruptionBudget', 'NetworkPolicy'];
    expect(kinds).toEqual(expect.arrayContaining(needed));
    for (const manifest of manifests)
      expect({ kind: manifest.kind, errors: errorsOf(manifest, folder) }).toEqual({
        kind: manifest.kind,
        errors: [],
      });
  });

  test('would be invalid with an unknown field or a number instead of a text', () => {
    const folder = moduleFolder(KUBERNETES_SPEC);
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } };
    expect(errorsOf(service, folder)).toEqual([]);
    expect(errorsOf({ ...service, spec: { selectors: {} } } as Manifest, folder)).toHaveLength(1);
    expect(errorsOf({ ...service, spec: { selector: { app: 1 } } } as Manifest, folder)).toHaveLength(1);
  });
});

test('the file for compose is valid by the specification of compose', () => {
  const file = path.join(moduleFolder(COMPOSE_SPEC), 'schema/compose-spec.json');
  const schema = JSON.parse(readFileSync(file, 'utf8')) as AnySchemaObject;
  const compose = parse(readFileSync(path.join(DEPLOY, 'weaviate-compose.yaml'), 'utf8'), { merge: true });
  const validate = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
  validate(compose);
  expect(validate.errors ?? []).toEqual([]);
  expect(validate({ services: { one: { imaeg: 'a' } } })).toBe(false);
});
