import { type Examination, examine } from '../index.js';
import { FAILURE, RESULTS } from './exit-code.js';
import { type IndexOptions, nearestDatabase } from './options.js';
import { print } from './print.js';

export interface DoctorOptions extends Pick<IndexOptions, 'database' | 'bot' | 'json'> {
  readonly repair?: true;
}

/** `waymark doctor` */
export async function doctorCommand({ database, bot, repair, json }: DoctorOptions): Promise<number> {
  const examination = await examine({ database: database ?? nearestDatabase(process.cwd()), bot, repair });
  print(examination, { json, lines: describe(examination) });
  return examination.state === 'damaged' ? FAILURE : RESULTS;
}

function describe({ findings, repaired }: Examination): string[] {
  const lines = findings.map(({ check, state, bot, message, remedy }) => {
    const subject = bot === undefined ? check : `${check} (${bot})`;
    return `${state.padEnd(7)}  ${subject}: ${message}${remedy === undefined ? '' : ` Next: ${remedy}`}`;
  });
  return [...repaired.map((sentence) => `mended   ${sentence}`), ...lines];
}
