import { createHashEmbedder, type Embedder } from 'waymark';

/** An embedder that blocks passages, or queries, until `letGo` is called. `asked` resolves with the first request. */
export function heldEmbedder({ hash = createHashEmbedder(), held = 'passages' as 'passages' | 'queries' } = {}) {
  let onAsked = () => {};
  let letGo = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const wait = () => {
    onAsked();
    return gate;
  };
  const embedder: Embedder = {
    ...hash,
    async embedPassages(...given) {
      if (held === 'passages') await wait();
      return hash.embedPassages(...given);
    },
    async embedQuery(...given) {
      if (held === 'queries') await wait();
      return hash.embedQuery(...given);
    },
  };
  return { embedder, asked, letGo };
}
