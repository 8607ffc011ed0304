/** Reads a file's bytes. */
export const CONTENT_ROUTE = { method: 'GET', path: '/v1/files/{id}/content' } as const;

/** Uploads a file's bytes; the secret is the permission. */
export const UPLOAD_ROUTE = { method: 'PUT', path: '/v1/uploads/{secret}' } as const;

/** The path for reading a file's bytes. */
export function contentPath(id: string): string {
  return CONTENT_ROUTE.path.replace('{id}', id);
}

/** The path for uploading a file's bytes. */
export function uploadPath(secret: string): string {
  return UPLOAD_ROUTE.path.replace('{secret}', secret);
}
