/** Kinds of admonition, whose names a reader sees; other containers are only layout. */
export const KINDS = new Set(
  (
    'abstract attention bug caution danger error example failure faq hint important info note question quote seealso ' +
    'success summary tip todo warning'
  ).split(' '),
);
