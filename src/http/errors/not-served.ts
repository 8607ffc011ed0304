/** What the hosted API has and a local service cannot mean, by how its paths begin. */
const NOT_SERVED: readonly (readonly [path: RegExp, what: string])[] = [
  [/^\/v1\/chat\//, 'conversations, messages, users, events, states and workflows'],
  [/^\/v1\/tables\b/, 'tables'],
  [/^\/v1\/admin\/(?:hub\/)?integrations\b/, 'integrations'],
  [/^\/v1\/admin\/(?:hub\/)?interfaces\b/, 'interfaces'],
  [/^\/v1\/admin\/(?:hub\/)?plugins\b/, 'plugins'],
  [/^\/v1\/admin\/bots\/[^/]+\//, 'deployments, logs, issues and analytics of bots'],
  [/^\/v1\/admin\/workspaces\b/, 'calls for workspaces: manage them with "waymark workspace"'],
  [/^\/v1\/admin\/workspace-members\b/, 'members: callers have tokens, from "waymark token create"'],
  [/^\/v1\/admin\/(?:account|introspect)\b/, 'accounts'],
  [/^\/v1\/admin\/(?:activities|helper)\b/, 'activities and helpers'],
  [/^\/v1\/admin\/(?:usages|quotas)\b|^\/v2\/usage\b/, 'usages and quotas'],
  [/^\/v2\/billing\b/, 'billing'],
];

/** Why a path of the hosted API is not there; undefined for other paths. */
export function whyNotServed(path: string): string | undefined {
  const [, what] = NOT_SERVED.find(([served]) => served.test(path)) ?? [];
  return what && `Waymark has no ${what}. It serves files, their search and their bots: see /docs.`;
}
