import { belowTitle, type HeadedSection, haveSameWords } from '../cutting/section.js';

/** The title of a text, and its sections below it. */
export interface Titled {
  readonly title: string | undefined;
  readonly sections: readonly HeadedSection[];
}

/**
 * Puts all sections below the title of their file: the given one, else the only heading of level 1 if it comes first,
 * else the name, with the spelling of a heading of level 1 that has the same words. If there is none of these, the
 * first heading of level 1 is the title, but only its own part is below it.
 */
export function belowTitleOf(
  sections: readonly HeadedSection[],
  { given, otherwise }: { readonly given?: string | undefined; readonly otherwise: string | undefined },
): Titled {
  // A heading in a quotation may be the title of another text.
  const headings = sections.flatMap(({ heading }) =>
    heading && heading.text !== '' && !heading.isQuoted ? heading : [],
  );
  const [first, ...others] = headings;
  const isAbove = first?.depth === 1 && others.every(({ depth }) => depth > 1);
  const parts = headings.filter(({ depth }) => depth === 1);
  const name = otherwise && (parts.find(({ text }) => haveSameWords(text, otherwise))?.text ?? otherwise);
  const title = given ?? (isAbove ? first.text : name);
  if (title) return { title, sections: belowTitle(sections, title) };
  return { title: parts[0]?.text, sections };
}
