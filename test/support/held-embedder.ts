import { createHashEmbedder, type Embedder } from 'waymark';

/** Gives no embedding before it is let go; `asked` resolves when the first passages have come. */
export function heldEmbedder(hash = createHashEmbedder()) {
  let onAsked = () => {};
  let letGo = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const embedder: Embedder = {
    ...hash,
    async embedPassages(...given) {
      onAsked();
      await gate;
      return hash.embedPassages(...given);
    },
  };
  return { embedder, asked, letGo };
}
