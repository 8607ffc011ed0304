const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const QUOTED = String.raw`"(?:[^"\\\p{Cc}]|\\\P{Cc})*"`;

/** A media type with its parameters, as in RFC 9110, section 8.3.1. */
export const MEDIA_TYPE = new RegExp(
  String.raw`^${TOKEN}/${TOKEN}(?:[ \t]*;[ \t]*${TOKEN}=(?:${TOKEN}|${QUOTED}))*$`,
  'u',
);
