import { type FoundPassage, type SearchEngine, shownText } from '../../../index.js';

/** Passages around a match. */
interface Around {
  readonly engine: SearchEngine;
  readonly before: number;
  readonly after: number;
}

/** The content of a match and the passages around it as a reader sees it, with the fences and headers it needs. */
export async function shownContent(found: FoundPassage, around: Around): Promise<string> {
  return shownText(await completed(found, around), { contentType: found.file.contentType });
}

async function completed({ content, meta, file }: FoundPassage, { engine, before, after }: Around): Promise<string> {
  if (meta.type === 'consolidated') return meta.display ?? content;
  const range = { from: Math.max(0, meta.position - before), to: meta.position + after };
  const passages = await engine.passagesOf(file.id, range);
  return `${passages[0]?.opening ?? ''}${content}${passages.at(-1)?.closing ?? ''}`;
}
