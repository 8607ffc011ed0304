/** An action that answers with the results of the knowledge bases. */
export function answer({ event }) {
  const results = event.kb?.results ?? [];
  if (results.length === 0) return 'I found nothing about that.';
  return results.map((r) => `${r.dsFriendlyName}\n${r.content}`).join('\n\n');
}
