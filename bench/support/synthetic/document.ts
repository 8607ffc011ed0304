import { drawn, type Random, seededRandom } from '../statistics/random.js';
import type { Prose } from './prose.js';

/** Sections of a file. Each is one passage, because it fits into the budget of a passage. */
export const SECTIONS = 20;

/** Words of a section, and its most characters, which keep it one passage if its words are long. */
const WORDS = { least: 70, most: 120 };
const CHARACTERS = 680;

/** Share of words that are replaced by other words of the corpus, and by new words: vocabularies grow with the text. */
const REPLACED = 0.2;
const INVENTED = 0.03;

/** A markdown file with its number as seed, so that a large corpus begins with the files of a small one. */
export function syntheticDocument(
  number: number,
  { prose, sections = SECTIONS }: { readonly prose: Prose; readonly sections?: number },
): string {
  const random = seededRandom(`document ${number}`);
  const title = heading(prose, random);
  const tags = `{ half: '${number % 2}', tenth: '${number % 10}', hundredth: '${number % 100}' }`;
  const parts = Array.from({ length: sections }, () => `## ${heading(prose, random)}\n\n${section(prose, random)}\n`);
  return [`---\ntitle: ${title}\ntags: ${tags}\n---\n`, `# ${title}\n`, ...parts].join('\n');
}

function heading({ words }: Prose, random: Random): string {
  const text = Array.from({ length: 2 + Math.floor(random() * 3) }, () => drawn(words, random)).join(' ');
  return text[0]?.toUpperCase() + text.slice(1);
}

/** Sentences of the corpus with some of their words replaced. */
function section(prose: Prose, random: Random): string {
  const target = WORDS.least + Math.floor(random() * (WORDS.most - WORDS.least));
  const sentences: string[] = [];
  let [words, characters] = [0, 0];
  while (words < target) {
    const sentence = altered(drawn(prose.sentences, random), { prose, random });
    characters += sentence.length + 1;
    if (characters > CHARACTERS) break;
    words += sentence.split(' ').length;
    sentences.push(sentence);
  }
  return sentences.join(' ');
}

function altered(sentence: string, { prose, random }: { readonly prose: Prose; readonly random: Random }): string {
  return sentence
    .split(' ')
    .map((word) => {
      const chance = random();
      if (chance < INVENTED) return replaced(word, invented(prose, random));
      return chance < INVENTED + REPLACED ? replaced(word, drawn(prose.words, random)) : word;
    })
    .join(' ');
}

/** Replaces the letters of a word and keeps the punctuation around them. */
function replaced(word: string, by: string): string {
  return word.replace(/\p{L}+/u, by);
}

/** A compound of two words, each drawn by frequency: as in any large corpus, few compounds are frequent. */
function invented({ words }: Prose, random: Random): string {
  const long = () => {
    for (;;) {
      const word = drawn(words, random);
      if (word.length > 3) return word;
    }
  };
  return long() + long();
}
