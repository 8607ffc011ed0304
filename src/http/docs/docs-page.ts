import { escaped } from '../html.js';
import type { OpenApi, OpenApiOperation, OpenApiParameter } from './openapi-document.js';

/** The OpenAPI document as a page for people, without scripts or external resources. */
export function docsPage({ info, paths }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const links = operations.map(
    ({ operation: { operationId, summary } }) =>
      `<li><a href="#${operationId}">${escaped(operationId)}</a> ${escaped(summary)}</li>`,
  );
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(info.title)} API</title>
<style>${STYLE}</style>
<h1>${escaped(info.title)} API ${escaped(info.version)}</h1>
<p>${escaped(info.description)} As a document: <a href="/openapi.json">openapi.json</a>.</p>
<p>Send <code>Authorization: Bearer &lt;token&gt;</code> with every request,
<code>x-bot-id</code> with operations on files,
<code>x-workspace-id</code> with administration. Errors are
<code>{ "id", "code", "type", "message" }</code>: the message says what to do next.</p>
<ul>${links.join('\n')}</ul>
${operations.map(section).join('\n')}
</html>
`;
}

function section({ path, method, operation }: { path: string; method: string; operation: OpenApiOperation }): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  return `<section id="${operationId}"><h2>${escaped(operationId)}</h2>
<p><code>${method} ${escaped(path)}</code></p>
<p>${escaped(summary)}. ${escaped(description)}</p>
${table(['field', 'in', 'description'], [...parameters.map(parameterRow), ...bodyRows(body)])}
<p>Responses: ${Object.entries(responses)
    .map(([status, { description }]) => `<b>${status}</b> ${escaped(description)}`)
    .join(' ')}</p>
<details><summary>Response schema</summary>
<pre>${escaped(JSON.stringify(responses[200]?.content, null, 2))}</pre></details>
</section>`;
}

function parameterRow({ name, in: place, required, description = '', schema }: OpenApiParameter): string[] {
  return [`${name}${required ? ' *' : ''}`, place, withDefault(description, schema)];
}

function bodyRows(body: Record<string, unknown> | undefined): string[][] {
  const { properties = {}, required = [] } = (body ?? {}) as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => [
    `${name}${required.includes(name) ? ' *' : ''}`,
    'body',
    withDefault(schema.description ?? '', schema),
  ]);
}

function withDefault(description: string, schema: object): string {
  return 'default' in schema ? `${description} Defaults to ${JSON.stringify(schema.default)}.` : description;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, texts: readonly string[]) =>
    `<tr>${texts.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join('')}</tr>`;
  return `<table>${cells('th', heads)}${rows.map((row) => cells('td', row)).join('')}</table>`;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
body{color:#222;background:#fff}
code,pre{font:14px/1.4 ui-monospace,monospace;background:#f4f4f4;padding:.1em .3em}pre{padding:1em;overflow:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3em .8em .3em 0;border-bottom:1px solid #ddd}
section{border-top:2px solid #222;margin-top:2rem}`;
