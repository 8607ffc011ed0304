/** Where a file's bytes are read. */
export const CONTENT_ROUTE = { method: 'GET', path: '/v1/files/{id}/content' } as const;

/** Where a file's bytes are written; the secret is the permission. */
export const UPLOAD_ROUTE = { method: 'PUT', path: '/v1/uploads/{secret}' } as const;

/** The path that answers a file's bytes. */
export function contentPath(id: string): string {
  return CONTENT_ROUTE.path.replace('{id}', id);
}

/** The path that takes a file's bytes. */
export function uploadPath(secret: string): string {
  return UPLOAD_ROUTE.path.replace('{secret}', secret);
}
