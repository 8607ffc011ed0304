import { isLocation, type ModelLocation, type ModelSource, successorOf } from '../../embed/open-embedder.js';
import type { ModelRecord } from '../../storage/storage.js';

type Recorded = Pick<ModelRecord, 'source'>;

/**
 * How to open a recorded model again; undefined for an embedder that was passed as an object. For a former default
 * model, it is the location of the present one.
 */
export function sourceOf(recorded: Recorded | undefined): ModelSource | undefined {
  const location = recorded && locationOf(recorded);
  return location && (successorOf(location) ?? location);
}

/** Whether a recorded model was the default of an earlier release. */
export function isFormerDefault(recorded: Recorded): boolean {
  const location = locationOf(recorded);
  return location !== undefined && successorOf(location) !== undefined;
}

/** Where a model was recorded to be; undefined for an embedder that was passed as an object, and if it is damaged. */
export function locationOf({ source }: Recorded): ModelLocation | undefined {
  try {
    const location: unknown = JSON.parse(source ?? 'null');
    return isLocation(location) ? location : undefined;
  } catch {
    return undefined;
  }
}
