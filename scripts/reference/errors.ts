import { ERROR_TYPES } from '#src/contract/error-types.js';
import { ERROR_CODES, WaymarkError, type WaymarkErrorCode } from '#src/domain/errors.js';
import { httpError } from '#src/http/errors/error-body.js';
import { table } from './table.js';

const INTRODUCTION = `# Errors

<!-- Generated from src/domain/errors.ts by "npm run docs": edit the table there, not this file. -->

Every failure is a \`WaymarkError\`: its \`code\` is for programs, its \`message\` is a sentence that says what is wrong and
what to do, and \`cause\` is the error that was caught, if there was one. A service answers with the status;
[api.md](../api.md#errors) has the body of such an answer, and every status. The exit codes of the commands are in
[the command line](../command-line.md).
`;

/** Every error code, with what it means and the HTTP statuses that it has or comes from. */
export function errorsPage(): string {
  const rows = Object.entries(ERROR_CODES).map(([code, meaning]) => {
    return [`\`${code}\``, meaning, statusesOf(code as WaymarkErrorCode).join(', ')];
  });
  return `${INTRODUCTION}\n${table(['code', 'meaning', 'HTTP status'], rows)}`;
}

/** The status that a service answers such an error with, and those that a client raises it for. */
function statusesOf(code: WaymarkErrorCode): number[] {
  const { status, type } = httpError(new WaymarkError(code, ''), { method: 'GET' });
  const answered = type === 'Internal' && status === 500 ? [] : [status];
  const raised = Object.values(ERROR_TYPES).flatMap((each) => (each.code === code ? [each.status] : []));
  return [...new Set([...answered, ...raised])].sort((a, b) => a - b);
}
