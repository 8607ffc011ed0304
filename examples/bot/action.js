/** An action: answers with what the knowledge bases say. */
export function answer({ event }) {
  const results = event.kb?.results ?? [];
  if (results.length === 0) return 'I found nothing about that.';
  return results.map((r) => `${r.dsFriendlyName}\n${r.content}`).join('\n\n');
}
