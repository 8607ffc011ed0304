import { describeExcess, type Excess } from '../../domain/excess.js';
import type { z } from '../../domain/zod.js';

/** Refuses values beyond a limit. The error is then the sentence of the limit, not the field's rule. */
export function within<Schema extends z.ZodType>(
  schema: Schema,
  excessIn: (value: z.output<Schema>) => Excess | undefined,
): Schema {
  return schema.superRefine((value, context) => {
    const excess = excessIn(value);
    if (excess) context.addIssue({ code: 'custom', message: `${describeExcess(excess)}.`, params: { excess } });
  });
}

/** The sentence of the first limit that a value exceeds; undefined if it breaks another rule only. */
export function excessSentence(issues: readonly z.core.$ZodIssue[]): string | undefined {
  for (const issue of issues) {
    if (issue.code === 'custom' && issue.params?.excess) return issue.message;
    const inner = issue.code === 'invalid_key' ? excessSentence(issue.issues) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}
