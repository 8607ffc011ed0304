import { readMarkdown } from '../corpus/markdown-files.js';
import { CORPUS } from '../folders/paths.js';

/** The material of synthetic texts. */
export interface Prose {
  readonly paragraphs: readonly string[];
  readonly sentences: readonly string[];
  /** With repetitions: drawing one draws by frequency. */
  readonly words: readonly string[];
}

/** Characters of the shortest paragraph and of the longest sentence. */
const PARAGRAPH = 60;
const SENTENCE = 300;
/** Least share of letters and spaces in a sentence. */
const LETTERS = 0.9;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The prose of corpus/. */
export function corpusProse(): Prose {
  return proseOf(readMarkdown(CORPUS).map(({ text }) => text));
}

/**
 * Paragraphs of markdown texts, without code, tables, lists and headings, whose markup would not survive changed words.
 */
export function proseOf(texts: readonly string[]): Prose {
  const paragraphs = texts.flatMap(paragraphsOf);
  const sentences = paragraphs.flatMap((paragraph) =>
    [...segmenter.segment(paragraph)].map(({ segment }) => segment.trim()).filter(isPlain),
  );
  const words = sentences.flatMap((sentence) => sentence.match(/(?<![\p{L}\p{N}])\p{L}+(?![\p{L}\p{N}])/gu) ?? []);
  return { paragraphs, sentences, words: words.map((word) => word.toLowerCase()) };
}

/** A complete sentence, mostly of Latin letters: symbols and other scripts take many more tokens. */
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
