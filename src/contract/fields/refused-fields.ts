import { z } from '../../domain/zod.js';
import { field } from './field.js';

/** Fields of the hosted API that are refused by name, so that their values are not silently ignored. */
export function refusedFields<const Name extends string>(names: readonly Name[], { why }: { readonly why: string }) {
  const refused = z.never().optional().describe(`left out: ${why}`);
  return Object.fromEntries(names.map((name) => [name, field(refused, 'Not supported.')])) as Readonly<
    Record<Name, typeof refused>
  >;
}
