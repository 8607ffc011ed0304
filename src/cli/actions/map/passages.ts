import type { EmbeddedPassage, SearchEngine, SearchOptions } from '../../../index.js';
import { showLines } from '../../output/lines.js';
import { foldersOf } from './folders.js';
import type { MapData, MapQuery } from './map-data.js';
import type { Point } from './point.js';

/** Hits of a query that are marked. */
const HITS = 10;

/** The passages at their points, with the folders that colour them. */
export function passagesOnMap(
  found: readonly EmbeddedPassage[],
  points: readonly Point[],
): Pick<MapData, 'folders' | 'passages'> {
  const names = foldersOf(found.map(({ key }) => key));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const folders = Array.from(counts, ([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
  const numbers = new Map(folders.map(({ name }, i) => [name, i]));
  const passages = found.map(({ key, passage }, i) => ({
    x: points[i]?.x ?? 0,
    y: points[i]?.y ?? 0,
    folder: numbers.get(names[i] ?? '') ?? 0,
    place: `${key}:${showLines(passage)}`,
    breadcrumb: passage.breadcrumb.join(' › '),
    text: passage.content,
  }));
  return { folders, passages };
}

/** The hits of queries that are on the map, best first. Throws `INVALID_ARGUMENT`. */
export async function hitsOf(
  queries: readonly string[],
  { engine, found, filter }: { engine: SearchEngine; found: readonly EmbeddedPassage[]; filter: SearchOptions },
): Promise<MapQuery[]> {
  const numbers = new Map(found.map(({ passage }, i) => [passage.id, i]));
  const marked: MapQuery[] = [];
  for (const text of queries) {
    const hits = await engine.search(text, { ...filter, limit: HITS });
    const placed = hits.flatMap(({ passage, score }, i) => {
      const number = numbers.get(passage.id);
      return number === undefined ? [] : [{ passage: number, rank: i + 1, score }];
    });
    marked.push({ text, hits: placed });
  }
  return marked;
}
