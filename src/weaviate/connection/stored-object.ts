/** A value of a property. */
export type PropertyValue = string | number | boolean | readonly string[] | undefined;

/** An object of a collection. */
export interface StoredObject {
  readonly id: string;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  readonly vector?: Float32Array | undefined;
}
