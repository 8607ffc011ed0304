/** A value of a property. */
export type PropertyValue = string | number | boolean | readonly string[] | undefined;

/** An object of a collection. */
export interface StoredObject {
  readonly id: string;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  readonly vector?: Float32Array | undefined;
}

/** The size of an object in bytes, roughly. */
export function sizeOf({ properties, vector }: StoredObject): number {
  const texts = Object.values(properties)
    .flat()
    .map((value) => (typeof value === 'string' ? value.length : 8));
  return texts.reduce((sum, length) => sum + length, 4 * (vector?.length ?? 0));
}
