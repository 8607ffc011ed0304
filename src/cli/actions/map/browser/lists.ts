import type { MapData, MapPassage } from '../map-data.js';
import { markerOf } from './markers.js';

/** The most passages that a list shows. */
const LISTED = 50;

/** The characters of a passage that are shown. */
const EXCERPT = /^.{0,600}/su;

type Choose = (passage: number) => void;

/** The chosen passage: where it is, and how it begins. */
export function showChosen(section: Element, passage: MapPassage | undefined): void {
  section.replaceChildren();
  if (!passage) return;
  const { text } = passage;
  const [excerpt = ''] = EXCERPT.exec(text) ?? [];
  section.append(
    ...headingElements(passage),
    element('p', { className: 'text', textContent: excerpt.length < text.length ? `${excerpt} …` : excerpt }),
  );
}

/** Breadcrumb and place of a passage. */
export function headingElements({ breadcrumb, place }: MapPassage): Element[] {
  const heading = element('strong', { textContent: breadcrumb || place });
  return breadcrumb ? [heading, element('span', { className: 'place', textContent: place })] : [heading];
}

/** The passages that have the words. */
export function showFound(
  section: Element,
  { data, found, choose }: { readonly data: MapData; readonly found: readonly number[] | undefined; choose: Choose },
): void {
  const [count, list] = section.children;
  const number = found?.length ?? 0;
  const first = number > LISTED ? `, of which the first ${LISTED} are listed` : '';
  if (count)
    count.textContent = found ? `${number} ${number === 1 ? 'passage has' : 'passages have'} these words${first}` : '';
  list?.replaceChildren(...(found ?? []).slice(0, LISTED).map((i) => item(data, { passage: i, choose })));
}

/** The queries with their hits. */
export function showQueries(parent: Element, data: MapData, choose: Choose): void {
  for (const [i, { text, hits }] of data.queries.entries()) {
    const section = document.createElement('section');
    const list = document.createElement('ol');
    for (const { passage, rank, score } of hits) {
      const label = labelOf(data, { query: i, rank });
      list.append(item(data, { passage, choose, label, score: score.toFixed(2) }));
    }
    const none = hits.length === 0 ? [element('p', { textContent: 'No results.' })] : [];
    section.append(element('h2', { textContent: text }), list, ...none);
    parent.append(section);
  }
}

/** How a hit is marked: by its rank, with a letter for the query if there are several. */
export function labelOf(
  { queries }: MapData,
  { query, rank }: { readonly query: number; readonly rank: number },
): string {
  return `${queries.length > 1 ? String.fromCharCode(65 + query) : ''}${rank}`;
}

/** The folders with their markers and numbers, to be shown or not. */
export function showFolders(fieldset: Element, data: MapData, onChange: () => void): HTMLInputElement[] {
  const boxes = data.folders.map(({ name, count }, i) => {
    const { colour, outline } = markerOf(i);
    const marker = svg('svg', { viewBox: '-1.3 -1.3 2.6 2.6', 'aria-hidden': 'true' });
    const shape = svg('path', { d: outline });
    shape.style.fill = `var(${colour})`;
    marker.append(shape);
    const box = element('input', { type: 'checkbox', checked: true });
    const label = document.createElement('label');
    label.append(box, marker, element('span', { textContent: name }), element('span', { textContent: String(count) }));
    fieldset.append(label);
    return box;
  });
  const all = (textContent: string, checked: boolean) => {
    const button = element('button', { textContent });
    button.addEventListener('click', () => {
      for (const box of boxes) box.checked = checked;
      onChange();
    });
    return button;
  };
  if (boxes.length > 1) fieldset.append(all('All', true), all('None', false));
  fieldset.addEventListener('change', onChange);
  return boxes;
}

interface Item {
  readonly passage: number;
  readonly choose: Choose;
  readonly label?: string;
  readonly score?: string;
}

function item(data: MapData, { passage, choose, label, score }: Item): Element {
  const found = data.passages[passage];
  const button = element('button', { className: 'passage' });
  if (label) button.append(element('b', { textContent: label }), ' ');
  if (found) button.append(...headingElements(found));
  if (score) button.append(element('span', { className: 'score', textContent: score }));
  button.addEventListener('click', () => choose(passage));
  const line = document.createElement('li');
  line.append(button);
  return line;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}

function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
