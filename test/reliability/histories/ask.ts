/** A PUT that no client sends alone. Throws what a client would throw. */
export async function ask(
  url: URL,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
): Promise<any> {
  const type = body.startsWith('{') ? 'application/json' : 'text/markdown';
  const sent = { method: 'PUT', headers: { 'content-type': type, ...headers }, body };
  const response = await fetch(url, sent).catch((cause: unknown) => {
    throw Object.assign(new Error('no answer', { cause }), { code: 'CONNECTION_FAILED' });
  });
  const answer = (await response.json()) as { message: string; metadata?: { code?: string } };
  if (response.ok) return answer;
  const missing = url.pathname.startsWith('/v1/uploads/') ? 'UPLOAD_MISSING' : 'BOT_MISSING';
  const code = response.status === 404 ? missing : response.status >= 500 ? 'SERVER_FAILED' : '';
  throw Object.assign(new Error(answer.message), { code });
}
