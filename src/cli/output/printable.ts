/** Replaces the characters that control a terminal; offsets into the text stay valid. */
export function printable(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd');
}
