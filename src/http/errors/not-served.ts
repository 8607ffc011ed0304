/** What only the hosted API has, by the beginning of method and path. */
const NOT_SERVED: readonly (readonly [request: RegExp, what: string])[] = [
  [/^\w+ \/v1\/chat\//, 'conversations, messages, users, events, states or workflows'],
  [/^\w+ \/v1\/tables\b/, 'tables'],
  [/^\w+ \/v1\/admin\/(?:hub\/)?integrations\b/, 'integrations'],
  [/^\w+ \/v1\/admin\/(?:hub\/)?interfaces\b/, 'interfaces'],
  [/^\w+ \/v1\/admin\/(?:hub\/)?plugins\b/, 'plugins'],
  [/^\w+ \/v1\/admin\/bots\/[^/]+\//, 'deployments, logs, issues or analytics of bots'],
  [/^\w+ \/v1\/admin\/workspaces\/[^/]+\//, 'usages, quotas, invoices, preferences or public profiles of workspaces'],
  [
    /^(?:POST|DELETE) \/v1\/admin\/workspaces\b/,
    'calls that create or delete workspaces: use "waymark workspace create" or "delete"',
  ],
  [/^\w+ \/v1\/admin\/workspace-members\b/, 'members: callers have tokens, from "waymark token create"'],
  [/^\w+ \/v1\/admin\/(?:account|introspect)\b/, 'accounts'],
  [/^\w+ \/v1\/admin\/(?:activities|helper)\b/, 'activities or helpers'],
  [/^\w+ \/v1\/admin\/(?:usages|quotas)\b|^\w+ \/v2\/usage\b/, 'usages or quotas'],
  [/^\w+ \/v2\/billing\b/, 'billing'],
];

/** Why a route of the hosted API is not there; undefined for other routes. */
export function whyNotServed({ method, url }: { readonly method: string; readonly url: string }): string | undefined {
  const [, what] = NOT_SERVED.find(([request]) => request.test(`${method} ${url}`)) ?? [];
  return what && `Waymark has no ${what}. It serves files, their search and their bots: see /docs.`;
}
