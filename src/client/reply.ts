/** What a server answered, with the whole body. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly header: (name: string) => string | undefined;
}

/** Reads a response to its end. */
export async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  return { status: response.status, text, header: (name) => response.headers.get(name) ?? undefined };
}

/** The JSON of a reply; undefined if it is not JSON. */
export function jsonOf({ text }: Reply): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
