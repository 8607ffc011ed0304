/** `{{#include ../a.rs:b}}` and its kind, which mdBook replaces, in code too; a backslash before it makes it text. */
const INCLUDE = '\\{\\{[ \\t]*#(?:include|rustdoc_include|playground|playpen|template|title)[ \\t][^{}\\r\\n]*\\}\\}';

/** At the start of a text. */
export const INCLUDE_HERE = new RegExp(`^${INCLUDE}`);

/** All of a line of code. */
export const INCLUDES = new RegExp(`(?<!\\\\)${INCLUDE}`, 'g');
