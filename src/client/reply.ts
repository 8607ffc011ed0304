/** What a server answered, read to its end. */
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

/** A reply's JSON; undefined where it is none. */
export function jsonOf({ text }: Reply): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
