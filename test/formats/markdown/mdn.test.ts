import { expect, test } from 'vitest';
import { embedded } from './counting.js';

test.each([
  ['a link', 'The {{domxref("Window")}} interface.', 'The Window interface.'],
  ['a link with a text', "Use {{domxref('Element.append', 'append()')}} now.", 'Use append() now.'],
  [
    'a link with a text and an anchor',
    'A {{Glossary("CORS", "cross-origin", "#a")}} request.',
    'A cross-origin request.',
  ],
  ['a link with an empty text', 'See {{cssxref("color", "", "#a")}}.', 'See color.'],
  ['a link without an argument', 'See {{cssxref}} and {{cssxref()}} here.', 'See and here.'],
  ['extra blanks and another letter case', 'An {{ htmlElement( "input" ) }} element.', 'An input element.'],
  ['a header', 'The {{HTTPHeader("Content-Type")}} header.', 'The Content-Type header.'],
  ['an entity', 'A {{cssxref("&lt;length&gt;")}} value.', 'A <length> value.'],
  ['an RFC', 'See {{RFC(9110, "HTTP Semantics", "9.1")}}.', 'See RFC 9110 HTTP Semantics.'],
  ['badges', '- {{domxref("a.b")}} {{ReadOnlyInline}} {{optional_inline}}', 'a.b ReadOnly optional'],
  ['a banner', '{{APIRef("Fetch API")}}{{Deprecated_Header}}\n\nText.', 'Deprecated\nText.'],
  ['generated parts', 'One.\n\n{{EmbedLiveSample("A", "100%", 200)}}\n\n{{Compat}}\n\nTwo.', 'One.\nTwo.'],
  ['any other macro', '{{AvailableInWorkers}}\n\nText {{ListSubPages("/a", 1)}}of {{jsxref("Map")}}.', 'Text of Map.'],
  ['descriptions', '- {{domxref("a.b")}}\n  - : What it *is*.', 'a.b\nWhat it is.'],
  ['a description without a macro', '- `a`\n  - : What it is.', 'a\nWhat it is.'],
  ['code', 'Write `{{domxref("a")}}` for {{domxref("a")}}.', 'Write {{domxref("a")}} for a.'],
  ['a macro that a backslash makes text', 'Write \\{{Compat}} below {{Compat}}it.', 'Write {{Compat}} below it.'],
])('MDN, %s: what a reader sees is embedded', (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});

test('calls in double braces are text in a file that nothing marks as a page of MDN', () => {
  const text = 'Home Assistant reads {{ states("sensor.a") }} and {{ name }} here.';
  expect(embedded(text)).toEqual([text]);
});
