import type { Point } from '../point.js';

/** The point that is nearest to another, within a reach; undefined without one. */
export function nearest<P extends Point>(
  points: readonly P[],
  { x, y }: Point,
  reach = Number.POSITIVE_INFINITY,
): P | undefined {
  let best: P | undefined;
  let least = reach;
  for (const point of points) {
    const distance = Math.hypot(point.x - x, point.y - y);
    if (distance > least) continue;
    least = distance;
    best = point;
  }
  return best;
}

/** The nearest point within 45 degrees of a direction, which is 1 or -1 in x or in y. */
export function inDirection<P extends Point>(points: readonly P[], from: Point, direction: Point): P | undefined {
  const ahead = points.filter(({ x, y }) => {
    const forward = (x - from.x) * direction.x + (y - from.y) * direction.y;
    const aside = Math.abs((x - from.x) * direction.y) + Math.abs((y - from.y) * direction.x);
    return forward > 0 && aside <= forward;
  });
  return nearest(ahead, from);
}
