import { type Examination, examine } from '../../index.js';
import { FAILURE, SUCCESS } from '../exit-codes.js';
import { print } from '../output/print.js';
import { storageOf } from '../storage-place.js';
import type { DatabaseOptions } from './open.js';

export interface DoctorCommandOptions extends DatabaseOptions {
  readonly bot?: string;
  readonly repair?: true;
}

/** `waymark doctor` */
export async function doctor({ bot, repair, json, ...place }: DoctorCommandOptions): Promise<number> {
  const examination = await examine({ ...storageOf(place), bot, repair });
  print(examination, { json, lines: describe(examination) });
  return examination.state === 'damaged' ? FAILURE : SUCCESS;
}

function describe({ findings, repaired }: Examination): string[] {
  const line = (label: string, text: string) => `${label.padEnd(8)}  ${text}`;
  return [
    ...repaired.map((sentence) => line('repaired', sentence)),
    ...findings.map(({ check, state, bot, message, remedy }) => {
      const subject = bot === undefined ? check : `${check} (${bot})`;
      return line(state, `${subject}: ${message}${remedy === undefined ? '' : ` Next: ${remedy}`}`);
    }),
  ];
}
