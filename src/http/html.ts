/** Text that may be put into a page as it stands. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: strings and numbers are escaped, lists are joined, false and undefined are left out. */
export type Part = Html | string | number | false | undefined | readonly Part[];

/** HTML from a template: html`<p>${text}</p>`. Put values between tags, or into attributes in double quotes. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(literals.reduce((text, literal, i) => `${text}${textOf(parts[i - 1])}${literal}`));
}

/** A text with the characters of markup escaped. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(textOf).join('') : escaped(String(part));
}
