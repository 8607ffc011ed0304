export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Slope {
  /** Change of y per unit of x. */
  readonly slope: number;
  /** Standard error of the slope. */
  readonly error: number;
}

/**
 * Slope of the least-squares line through the points, with its standard error for independent residuals (Draper & Smith
 * 1998, "Applied Regression Analysis", 1.4). `undefined` for fewer than three points, or a single x.
 */
export function slopeOf(points: readonly Point[]): Slope | undefined {
  const n = points.length;
  const mean = (of: (point: Point) => number) => points.reduce((sum, point) => sum + of(point), 0) / n;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const squares = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  if (n < 3 || squares === 0) return undefined;
  const slope = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / squares;
  const residuals = points.reduce((sum, point) => sum + (point.y - y - slope * (point.x - x)) ** 2, 0);
  return { slope, error: Math.sqrt(residuals / (n - 2) / squares) };
}

/**
 * At most `to` points, each the mean of a run of consecutive points. Consecutive samples are correlated, which would
 * make the standard error of a slope too small.
 */
export function thinned(points: readonly Point[], { to }: { readonly to: number }): Point[] {
  const size = Math.max(1, Math.ceil(points.length / to));
  return Array.from({ length: Math.ceil(points.length / size) }, (_, i) => {
    const group = points.slice(i * size, (i + 1) * size);
    const mean = (of: (point: Point) => number) => group.reduce((sum, point) => sum + of(point), 0) / group.length;
    return { x: mean((point) => point.x), y: mean((point) => point.y) };
  });
}
