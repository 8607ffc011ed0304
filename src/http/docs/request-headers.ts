import type { HttpOperation } from '../../contract/operation.js';
import type { OpenApiParameter } from './openapi-document.js';

/** Headers that clients of the contract send with searches. */
const CLIENT_HEADERS = ['x-integration-id', 'x-integration-alias', 'x-integration-name', 'x-user-id', 'x-user-role'];

/** The headers of a request other than Authorization. */
export function requestHeaders({
  permission,
  withoutWorkspaceId,
}: Pick<HttpOperation, 'permission' | 'withoutWorkspaceId'>): OpenApiParameter[] {
  const header = (name: string, { required, description }: { required: boolean; description: string }) =>
    ({ name, in: 'header', required, description, schema: { type: 'string' } }) as const;
  const isAdmin = permission === 'admin';
  return [
    header('x-bot-id', { required: !isAdmin, description: 'The id of the bot whose files are meant.' }),
    header('x-workspace-id', {
      required: isAdmin && !withoutWorkspaceId,
      description: "The id of the token's workspace.",
    }),
    ...(permission === 'search' ? CLIENT_HEADERS : []).map((name) =>
      header(name, { required: false, description: 'Sent by clients; ignored.' }),
    ),
  ];
}
