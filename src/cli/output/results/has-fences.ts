/** Whether a text has fences: where a passage begins or ends in code, they do not tell which of its lines are code. */
export function hasFences(text: string): boolean {
  return /^[ \t>]*(?:```|~~~)/m.test(text);
}
