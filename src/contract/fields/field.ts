import { z } from '../../domain/zod.js';

const RULES = z.registry<{ readonly rule: string }>();

/**
 * Documents a field of a request. A schema's own description is its rule: what a value must be, such as "an integer
 * from 0 to 10", which error messages quote. `purpose` is a sentence on what the field is for; schema documents show
 * both.
 */
export function field<Schema extends z.ZodType>(schema: Schema, purpose: string): Schema {
  const rule = schema.description;
  if (rule === undefined) throw new RangeError(`describe what a field for "${purpose}" must be`);
  const description = isSelfEvident(schema) ? purpose : `${purpose} ${rule[0]?.toUpperCase()}${rule.slice(1)}.`;
  const documented = schema.meta({ description });
  RULES.add(documented, { rule });
  return documented;
}

/** The rule of an enum: `hybrid, dense or lexical`. */
export function oneOf(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** Whether the JSON Schema of this type already expresses the rule. */
function isSelfEvident(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'default') return isSelfEvident(def.innerType);
  return def.type === 'boolean' || def.type === 'enum';
}

/** The rule of a schema: it completes the sentence "limit must be …". */
export function ruleOf(schema: z.core.$ZodType): string | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const rule = RULES.get(schema)?.rule ?? (schema as z.ZodType).description;
  return rule === undefined && def.type === 'optional' ? ruleOf(def.innerType) : rule;
}
