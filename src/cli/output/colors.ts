import picocolors from 'picocolors';

/** Colours only if stdout is a terminal that supports them and NO_COLOR is not set. */
export const colors = picocolors.createColors(process.stdout.isTTY === true && process.stdout.hasColors());
