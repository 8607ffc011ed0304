import type { MapData } from '../map-data.js';
import type { Point } from '../point.js';
import { markerOf } from './markers.js';
import type { View } from './view.js';

/** What is shown of a map. */
export interface Shown {
  readonly data: MapData;
  readonly view: View;
  /** Whether each folder is shown. */
  readonly folders: readonly boolean[];
  /** Passages that stand out; undefined if all are alike. */
  readonly highlighted: ReadonlySet<number> | undefined;
  /** Labels of the hits, by passage. */
  readonly labels: ReadonlyMap<number, string>;
  readonly chosen: number | undefined;
}

/** The opacity of a passage that does not stand out. */
const DIMMED = 0.35;

/** The opacity of a passage when none stands out: those below it stay visible. */
const OPACITY = 0.8;

/** Half the size of a marker in CSS pixels, for a few passages and for very many. */
const [LARGE, SMALL] = [4, 1.5];

/** Draws a map over the whole canvas. */
export function paint(canvas: HTMLCanvasElement, { data, view, folders, highlighted, labels, chosen }: Shown): void {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const style = getComputedStyle(canvas);
  const ratio = devicePixelRatio;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const many = Math.max(SMALL, Math.min(LARGE, 150 / Math.sqrt(data.passages.length)));
  const size = Math.min(LARGE + 3, many * view.zoom ** 0.3);
  const markers = data.folders.map((_, i) => {
    const { colour, outline } = markerOf(i);
    return { colour: style.getPropertyValue(colour), path: scaled(outline, size) };
  });
  context.globalAlpha = highlighted ? DIMMED : OPACITY;
  for (let i = 0; i < data.passages.length; i++) if (!highlighted?.has(i)) draw(i);
  context.globalAlpha = 1;
  context.font = `600 12px ${style.fontFamily}`;
  context.lineJoin = 'round';
  for (const [i, label] of labels) write(label, i);
  for (const i of highlighted ?? []) draw(i);
  context.strokeStyle = style.getPropertyValue('--text');
  context.lineWidth = 1.5;
  for (const i of labels.keys()) ring(i, size + 2.5);
  context.lineWidth = 3;
  if (chosen !== undefined) ring(chosen, size + 5);

  function pointOnCanvas(i: number): Point | undefined {
    const passage = data.passages[i];
    const point = passage && folders[passage.folder] ? view.onCanvas(passage) : undefined;
    const isOn = point && point.x > -size && point.y > -size && point.x < width + size && point.y < height + size;
    return isOn ? point : undefined;
  }

  function draw(i: number): void {
    const point = pointOnCanvas(i);
    const marker = markers[data.passages[i]?.folder ?? 0];
    if (!point || !marker) return;
    context.fillStyle = marker.colour;
    context.translate(point.x, point.y);
    context.fill(marker.path);
    context.translate(-point.x, -point.y);
  }

  function write(label: string, i: number): void {
    const point = pointOnCanvas(i);
    if (!point) return;
    const at = [point.x + size + 5, point.y + 4] as const;
    context.strokeStyle = style.getPropertyValue('--ground');
    context.lineWidth = 4;
    context.strokeText(label, ...at);
    context.fillStyle = style.getPropertyValue('--text');
    context.fillText(label, ...at);
  }

  function ring(i: number, radius: number): void {
    const point = pointOnCanvas(i);
    if (!point) return;
    context.beginPath();
    context.arc(point.x, point.y, radius, 0, 2 * Math.PI);
    context.stroke();
  }
}

function scaled(outline: string, size: number): Path2D {
  const path = new Path2D();
  path.addPath(new Path2D(outline), new DOMMatrix().scale(size));
  return path;
}
