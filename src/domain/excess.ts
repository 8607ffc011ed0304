import { WaymarkError } from './errors.js';
import { KB, type Limit, MB } from './limits.js';

/** A limit's value with its unit, as messages and documents write it: `64 KB`, `2048 bytes`, `100 tags`. */
export function amountOf({ value, unit }: Limit): string {
  const [, rest = ''] = /^bytes(.*)$/.exec(unit) ?? [];
  if (unit.startsWith('bytes') && value % MB === 0) return `${value / MB} MB${rest}`;
  if (unit.startsWith('bytes') && value % KB === 0 && value > 10 * KB) return `${value / KB} KB${rest}`;
  return `${value} ${unit}`;
}

/** A limit that a value exceeds. */
export interface Excess {
  readonly limit: Limit;
  /** Missing if it was not counted to its end. */
  readonly given?: number;
}

/** The excess of a value over its limit, if any. `given` is undefined for a value that was not counted to its end. */
export function excessOf(limit: Limit, given: number | undefined): Excess | undefined {
  if (given === undefined) return { limit };
  return given > limit.value ? { limit, given } : undefined;
}

/** A sentence that says which limit a value exceeds, without its full stop, so that advice can follow. */
export function describeExcess({ limit, given }: Excess): string {
  const sentence = `${limit.name} must have at most ${amountOf(limit)}`;
  if (given === undefined) return sentence;
  return `${sentence}; it has ${given}${limit.unit.startsWith('bytes') ? ' bytes' : ''}`;
}

/** The error for a value beyond a limit. `advice` is what to do: `split it`. */
export function limitError(excess: Excess, advice?: string): WaymarkError {
  const message = `${describeExcess(excess)}${advice === undefined ? '' : `: ${advice}`}.`;
  return new WaymarkError(excess.limit.code ?? 'INVALID_ARGUMENT', message);
}
