import { expect, test } from 'vitest';
import { embedded, outline } from './counting.js';

test.each([
  ['a word of a sentence', 'Ask in {% channel "help" %}, or in\n{% channel "#dev" %}.', 'Ask in help, or in\n#dev.'],
  ['an item of a list', '- {% channel "help" %}\n- [x] {% channel "#dev" %}', 'help\n#dev'],
  ['a tag on two lines', '- {% channel\n   "help" %} one two', 'help one two'],
  ['several words', '{% callout "info", "md", "New in it" %}\nOne.\n{% endcallout %}', 'New in it\nOne.'],
  ['words and an address', 'By {% person "Ada", "https://a.example/ada" %} and others.', 'By Ada and others.'],
  ['words that end in a name', '- {% callout "md", "Migrating to Next.js" %} today', 'Migrating to Next.js today'],
  ['a name like a file', 'Built on {% tool "Node.js" %}, too.', 'Built on Node.js, too.'],
  ['a tag like an end', '- {% endpoint "Create a user" %}', 'Create a user'],
  ['a word with a letter after it', 'See {% person "Zo\u00eb" %}\u00e9.', 'See Zo\u00eb \u00e9.'],
  ['words with an id', '- {% channel "c12" "The cats" %} for all', 'The cats for all'],
])("the strings of a site's own tags of Liquid are seen: %s", (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});

test.each([
  ['an option alone on its line', 'One two.\n\n{% callout "info" %}\nThree four.\n{% endcallout %}'],
  ['an option of a block in a sentence', 'One two. {% callout "info" %}Three four.{% endcallout %}'],
  ['a file', 'One two.\n\n- {% image "cat.jpg" %}\n\nThree four.'],
  ['an address', 'One two. {% page "/a/b c" %}Three four.'],
  ['names of classes', 'One two.\n\n{% image "cat.jpg" "margin-3 width-full" %}\n\nThree four.'],
  ['an icon', 'One two. {% octicon "gear" %} Three four.'],
  ['a condition', 'One two. {% if page.title == "a b" %}Three four.{% endif %}'],
  ['a target of a link', 'One two. [Three four]({% place "a b" %}).'],
  ['another condition', 'One two. {% if a == "b c" %}{% elif a == "d" %}{% endif %}Three four.'],
  ['several assignments', 'One two. {% liquid assign a = "b" | append: "c d" %}Three four.'],
  ['a name', 'One two. {% set mode = "dark" %} Three four.'],
])('what names something in a tag of Liquid is not seen: %s', (_, text) => {
  expect(embedded(text).join().match(/\w+/g)).toEqual(['One', 'two', 'Three', 'four']);
});

test('a version after a heading is not in its breadcrumb', () => {
  expect(outline('# One {% since "3.0" %}\n\na b c')).toEqual(['One: a b c']);
});
