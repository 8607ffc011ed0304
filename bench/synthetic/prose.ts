import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_ROOT } from '../package-root.js';

/** What synthetic texts are made of. */
export interface Prose {
  readonly paragraphs: readonly string[];
  readonly sentences: readonly string[];
  /** Every occurrence: who draws one draws by frequency. */
  readonly words: readonly string[];
}

/** Shortest paragraph that says something, and longest sentence that leaves room for others, in characters. */
const PARAGRAPH = 60;
const SENTENCE = 300;
/** Least share of letters and blanks in a sentence. */
const LETTERS = 0.9;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The prose of `corpus/`. */
export function corpusProse(): Prose {
  const folder = path.join(PACKAGE_ROOT, 'corpus');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return proseOf(files.sort().map((name) => readFileSync(path.join(folder, name), 'utf8')));
}

/** The prose of markdown texts: paragraphs without code, tables, lists and headings, whose marks words would tear apart. */
export function proseOf(texts: readonly string[]): Prose {
  const paragraphs = texts.flatMap(paragraphsOf);
  const sentences = paragraphs.flatMap((paragraph) =>
    [...segmenter.segment(paragraph)].map(({ segment }) => segment.trim()).filter(isPlain),
  );
  const words = sentences.flatMap((sentence) => sentence.match(/(?<![\p{L}\p{N}])\p{L}+(?![\p{L}\p{N}])/gu) ?? []);
  return { paragraphs, sentences, words: words.map((word) => word.toLowerCase()) };
}

/** A whole sentence, of words for the most part: of signs and of other scripts a model has far more tokens. */
function isPlain(sentence: string): boolean {
  const letters = sentence.match(/[a-z ]/gi)?.length ?? 0;
  return /^\p{Lu}.*[.!?]$/u.test(sentence) && sentence.length <= SENTENCE && letters >= LETTERS * sentence.length;
}

function paragraphsOf(text: string): string[] {
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/^(`{3,})[\s\S]*?^\1/gm, '')
    .split(/\n\s*\n/)
    .map((block) => block.replace(/[`*]|\]\([^)]*\)|\[/g, '').trim())
    .filter((block) => /^\p{Lu}/u.test(block) && block.length >= PARAGRAPH);
}
