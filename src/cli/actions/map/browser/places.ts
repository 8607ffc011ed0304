import type { Place } from './view.js';

/** The place that is nearest to another, within a reach; undefined without one. */
export function nearest<P extends Place>(
  places: readonly P[],
  { x, y }: Place,
  reach = Number.POSITIVE_INFINITY,
): P | undefined {
  let best: P | undefined;
  let least = reach;
  for (const place of places) {
    const distance = Math.hypot(place.x - x, place.y - y);
    if (distance > least) continue;
    least = distance;
    best = place;
  }
  return best;
}

/** The nearest place within 45 degrees of a direction, which is 1 or -1 in x or in y. */
export function inDirection<P extends Place>(places: readonly P[], from: Place, direction: Place): P | undefined {
  const ahead = places.filter(({ x, y }) => {
    const forward = (x - from.x) * direction.x + (y - from.y) * direction.y;
    const aside = Math.abs((x - from.x) * direction.y) + Math.abs((y - from.y) * direction.x);
    return forward > 0 && aside <= forward;
  });
  return nearest(ahead, from);
}
