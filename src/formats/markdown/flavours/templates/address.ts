/** A parameter of a tag that is an address or a path, not a word for readers. */
export const ADDRESS = /^(?:[a-z]+:|\.{0,2}\/)\S/i;
