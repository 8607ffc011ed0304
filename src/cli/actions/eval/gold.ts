import { type Lines, type Question, sharedLines } from '../../../evaluation/index.js';
import { counted, type SearchEngine, WaymarkError } from '../../../index.js';
import { showLines } from '../../output/lines.js';
import { printMessage } from '../../output/print.js';
import { indexedKey } from '../search/keys-of-paths.js';

/** An indexed file that gold names. */
interface GoldFile {
  /** Number of lines. */
  readonly lines: number;
  readonly passages: readonly Lines[];
}

/**
 * Gold that is not in the index would silently count as a miss in every mode: it is refused. Lines that no passage has
 * count as a miss, too, and stderr says so. Throws `INVALID_ARGUMENT`.
 */
export async function checkGold(questions: readonly Question[], engine: SearchEngine): Promise<void> {
  const files = new Map<string, GoldFile>();
  const unfound: { readonly id: string; readonly span: Lines }[] = [];
  for (const { id, type, spans } of questions) {
    const outside: Lines[] = [];
    for (const span of spans) {
      const file = files.get(span.file) ?? (await goldFile(span.file, engine));
      if (!file) {
        const message = `Question ${id}: gold file "${span.file}" is not in the index.`;
        throw new WaymarkError('INVALID_ARGUMENT', `${message} ${await adviceOn(span.file, engine)}`);
      }
      files.set(span.file, file);
      if (span.endLine > file.lines) {
        const lines = `${file.lines} lines; there is no line ${span.endLine}`;
        const message = `Question ${id}: gold file "${span.file}" has ${lines}.`;
        throw new WaymarkError('INVALID_ARGUMENT', `${message} Correct the lines, or index the file again.`);
      }
      if (file.passages.every((passage) => sharedLines(passage, span) === 0)) outside.push(span);
    }
    const [span] = outside;
    if (span && (type === 'multi' || outside.length === spans.length)) unfound.push({ id, span });
  }
  warnOf(unfound);
}

/** What to write for a file that is named otherwise, as by its path from the working folder. */
async function adviceOn(named: string, engine: SearchEngine): Promise<string> {
  const key = await indexedKey(engine, named);
  return key === undefined ? 'Use its key, which waymark get <path> --json shows.' : `Use its key: "${key}".`;
}

async function goldFile(key: string, engine: SearchEngine): Promise<GoldFile | undefined> {
  const found = await engine.readFile(key);
  if (!found) return undefined;
  const { id, text } = found;
  // A passage has at least one character.
  const passages = await engine.passagesOf(id, { from: 0, to: text.length });
  return {
    lines: text.replace(/\r?\n$/, '').split(/\r\n|[\r\n]/).length,
    passages: passages.map(({ startLine, endLine }) => ({ file: key, startLine, endLine })),
  };
}

function warnOf([first, ...others]: readonly { readonly id: string; readonly span: Lines }[]): void {
  if (!first) return;
  const { id, span } = first;
  const place = `${span.file}:${showLines(span)}`;
  const advice = 'Specify lines of text: headings and empty lines belong to no passage.';
  const more = others.length > 0 ? ` The same is true of ${counted(others.length, 'other question')}.` : '';
  printMessage(`Question ${id}: no passage has ${place}, so no search finds it. ${advice}${more}`);
}
