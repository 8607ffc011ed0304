import type { Point } from '../point.js';

/** The share of the canvas that the whole map takes. */
const FILLED = 0.92;

/** The whole map is 1. */
const MAX_ZOOM = 200;

/** Which part of the map the canvas shows. */
export class View {
  #width = 1;
  #height = 1;
  #centre: Point = { x: 0.5, y: 0.5 };
  /** 1 shows the whole map. */
  zoom = 1;

  resize({ width, height }: { readonly width: number; readonly height: number }): void {
    this.#width = width;
    this.#height = height;
  }

  onCanvas({ x, y }: Point): Point {
    return {
      x: this.#width / 2 + (x - this.#centre.x) * this.#scale,
      y: this.#height / 2 + (y - this.#centre.y) * this.#scale,
    };
  }

  /** Zooms by a factor around a point on the canvas, by default its middle. */
  zoomBy(factor: number, at: Point = { x: this.#width / 2, y: this.#height / 2 }): void {
    const fixed = this.#onMap(at);
    this.zoom = Math.min(MAX_ZOOM, Math.max(1, this.zoom * factor));
    const moved = this.#onMap(at);
    this.#moveTo({ x: this.#centre.x + fixed.x - moved.x, y: this.#centre.y + fixed.y - moved.y });
  }

  /** Moves the map by CSS pixels. */
  pan(right: number, down: number): void {
    this.#moveTo({ x: this.#centre.x - right / this.#scale, y: this.#centre.y - down / this.#scale });
  }

  showWhole(): void {
    this.zoom = 1;
    this.#centre = { x: 0.5, y: 0.5 };
  }

  /** Moves the map if a point on it is not shown. */
  show(point: Point): void {
    const { x, y } = this.onCanvas(point);
    if (x < 0 || y < 0 || x > this.#width || y > this.#height) this.#moveTo(point);
  }

  get #scale(): number {
    return this.zoom * FILLED * Math.min(this.#width, this.#height);
  }

  #moveTo({ x, y }: Point): void {
    this.#centre = { x: Math.min(1, Math.max(0, x)), y: Math.min(1, Math.max(0, y)) };
  }

  #onMap({ x, y }: Point): Point {
    return {
      x: this.#centre.x + (x - this.#width / 2) / this.#scale,
      y: this.#centre.y + (y - this.#height / 2) / this.#scale,
    };
  }
}
