// The page of a map: draws the passages, and shows which of them are found, chosen or pointed at.
import type { MapData } from '../map-data.js';
import { headingElements, labelOf, showChosen, showFolders, showFound, showQueries } from './lists.js';
import { paint } from './paint.js';
import { inDirection, nearest } from './points.js';
import { View } from './view.js';
import { Words } from './words.js';

/** CSS pixels from a passage within which the pointer is on it. */
const REACH = 12;

/** By how much a key or a button zooms. */
const STEP = 1.5;

const data: MapData = JSON.parse(one('#data').textContent ?? '');
const canvas = one<HTMLCanvasElement>('canvas');
const hover = one('#hover');
const field = one<HTMLInputElement>('#words');
const view = new View();
const words = new Words(data.passages);
const labels = new Map<number, string>();
for (const [query, { hits }] of data.queries.entries()) {
  for (const { passage, rank } of hits) {
    const label = labelOf(data, { query, rank });
    labels.set(passage, [...(labels.get(passage)?.split(' ') ?? []), label].join(' '));
  }
}
const hits = labels.size > 0 ? new Set(labels.keys()) : undefined;
const boxes = showFolders(one('#folders'), data, repaint);
let highlighted: ReadonlySet<number> | undefined = hits;
let chosen: number | undefined;
let isStale = false;

showQueries(one('#queries'), data, choose);
field.addEventListener('input', () => {
  const found = words.find(field.value);
  highlighted = found ? new Set(found) : hits;
  showFound(one('#found'), { data, found, choose });
  repaint();
});
for (const [id, zoom] of Object.entries({
  in: () => view.zoomBy(STEP),
  out: () => view.zoomBy(1 / STEP),
  whole: () => view.showWhole(),
})) {
  one(`#${id}`).addEventListener('click', () => {
    zoom();
    repaint();
  });
}
new ResizeObserver(() => {
  view.resize({ width: canvas.clientWidth, height: canvas.clientHeight });
  repaint();
}).observe(canvas);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
listenToPointer();
canvas.addEventListener('keydown', onKeyDown);

function one<E extends HTMLElement>(selector: string): E {
  const found = document.querySelector<E>(selector);
  if (!found) throw new Error(`${selector} is missing`);
  return found;
}

/** Draws the map before the next frame. */
function repaint(): void {
  if (isStale) return;
  isStale = true;
  requestAnimationFrame(() => {
    isStale = false;
    paint(canvas, { data, view, folders: boxes.map(({ checked }) => checked), highlighted, labels, chosen });
  });
}

/** Shows a passage, with its folder, or deselects the one that is shown. */
function choose(passage: number | undefined): void {
  chosen = passage;
  const found = passage === undefined ? undefined : data.passages[passage];
  const box = found && boxes[found.folder];
  if (box) box.checked = true;
  if (found) view.show(found);
  showChosen(one('#chosen'), found);
  repaint();
}

/** The passages that can be pointed at, on the canvas. */
function visible(): { readonly passage: number; readonly x: number; readonly y: number }[] {
  return data.passages.flatMap((found, passage) =>
    boxes[found.folder]?.checked ? [{ passage, ...view.onCanvas(found) }] : [],
  );
}

function listenToPointer(): void {
  let from: { readonly x: number; readonly y: number } | undefined;
  let isDragged = false;
  const at = (event: MouseEvent) => ({ x: event.offsetX, y: event.offsetY });
  canvas.addEventListener('pointerdown', (event) => {
    from = at(event);
    isDragged = false;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const point = at(event);
    if (!from) {
      pointAt(nearest(visible(), point, REACH)?.passage, point);
      return;
    }
    isDragged ||= Math.hypot(point.x - from.x, point.y - from.y) > 3;
    if (!isDragged) return;
    pointAt(undefined, point);
    view.pan(point.x - from.x, point.y - from.y);
    from = point;
    repaint();
  });
  canvas.addEventListener('pointerup', (event) => {
    if (from && !isDragged) choose(nearest(visible(), at(event), REACH)?.passage);
    from = undefined;
  });
  canvas.addEventListener('pointercancel', () => {
    from = undefined;
  });
  canvas.addEventListener('pointerleave', (event) => pointAt(undefined, at(event)));
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    view.zoomBy(2 ** (-event.deltaY / 300), at(event));
    repaint();
  });
}

/** Shows breadcrumb and place of a passage beside the pointer. */
function pointAt(passage: number | undefined, { x, y }: { readonly x: number; readonly y: number }): void {
  const found = passage === undefined ? undefined : data.passages[passage];
  hover.hidden = !found;
  if (!found) return;
  hover.replaceChildren(...headingElements(found));
  hover.style.left = `${Math.min(x + 14, canvas.clientWidth - hover.offsetWidth)}px`;
  hover.style.top = `${Math.min(y + 14, canvas.clientHeight - hover.offsetHeight)}px`;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => step(-1, 0),
    ArrowRight: () => step(1, 0),
    ArrowUp: () => step(0, -1),
    ArrowDown: () => step(0, 1),
    '+': () => view.zoomBy(STEP),
    '-': () => view.zoomBy(1 / STEP),
    '0': () => view.showWhole(),
    Escape: () => choose(undefined),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
  repaint();
}

/** Chooses the next passage in a direction; the one in the middle if none is chosen. */
function step(right: number, down: number): void {
  const points = visible();
  const from = points.find(({ passage }) => passage === chosen);
  const middle = { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 };
  const next = from ? inDirection(points, from, { x: right, y: down }) : nearest(points, middle);
  if (next) choose(next.passage);
}
