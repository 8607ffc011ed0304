#!/usr/bin/env node
import { CommanderError } from 'commander';
import { SUCCESS, USAGE } from './exit-codes.js';
import { createProgram } from './program.js';

try {
  await createProgram().parseAsync();
} catch (error) {
  // commander has already printed its message.
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? SUCCESS : USAGE;
}
