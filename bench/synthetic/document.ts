import type { Prose } from './prose.js';
import { drawn, type Random, seededRandom } from './random.js';

/** Sections of a file; each is one passage, because it fits into the budget of one. */
export const SECTIONS = 20;

/** Words of a section, and the characters that keep it one passage where its words are long. */
const WORDS = { least: 70, most: 120 };
const CHARACTERS = 680;

/** Share of words that are replaced by others of the corpus, and by new ones: a large corpus has ever more words. */
const REPLACED = 0.2;
const INVENTED = 0.03;

/** A markdown file with its number as seed: the first files of a large corpus are those of a small one. */
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

/** Sentences of the corpus, one after the other, with some of their words exchanged. */
function section(prose: Prose, random: Random): string {
  const wanted = WORDS.least + Math.floor(random() * (WORDS.most - WORDS.least));
  const sentences: string[] = [];
  let [words, characters] = [0, 0];
  while (words < wanted) {
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
      if (chance < INVENTED) return exchanged(word, invented(prose, random));
      return chance < INVENTED + REPLACED ? exchanged(word, drawn(prose.words, random)) : word;
    })
    .join(' ');
}

/** Another word in the place of one, with the marks before and behind it. */
function exchanged(word: string, by: string): string {
  return word.replace(/\p{L}+/u, by);
}

/** Two words in one, each drawn by frequency: few such are frequent, and most are met once, as in any large corpus. */
function invented({ words }: Prose, random: Random): string {
  const long = () => {
    for (;;) {
      const word = drawn(words, random);
      if (word.length > 3) return word;
    }
  };
  return long() + long();
}
