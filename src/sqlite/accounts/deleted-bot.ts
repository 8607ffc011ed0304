import { WaymarkError } from '../../domain/errors.js';

/** The error for a bot that another call or process has deleted. */
export function deletedBot(): WaymarkError {
  return new WaymarkError('BOT_MISSING', 'The bot was deleted: open another one.');
}
