/** The most characters per token of a limit. A data URL, which is one token to the model, is cut by it. */
export const CHARACTERS_PER_TOKEN = 10;
