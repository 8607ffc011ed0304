/**
 * Conditions on a file's tags; all of them must hold. A string, or one string of a list, must equal the tag's value.
 * With `not` it must differ; a file without the tag passes. An empty list is no condition.
 */
export type TagFilter = Readonly<
  Record<string, string | readonly string[] | { readonly not: string | readonly string[] }>
>;
