import { expect, test } from 'vitest';
import { embedded } from './counting.js';

const FIGURE = '```{figure} a.png\n---\nwidth: 100\nalt: A cat\n---\nThe *caption*.\n```';

test.each([
  ['a target', '(the-tea)=\n# Tea\n\nText.', 'Tea\nText.'],
  ['an admonition', '```{note} Good to know\nOne *two*.\n```\n\nThree.', 'note Good to know\nOne two.\nThree.'],
  ['an admonition without a title', '```{warning}\nHot *water*.\n```', 'warning\nHot water.'],
  ['a directive that is not an admonition', '~~~{dropdown} Click me\nText.\n~~~', 'Click me\nText.'],
  ['options', '```{tip}\n:class: dropdown\n:name: a\n\nText.\n```', 'tip\nText.'],
  ['options of a container', ':::{tip}\n:class: dropdown\nText.\n:::', 'tip\nText.'],
  ['a figure', FIGURE, 'A cat\nThe caption.'],
  ['a figure in a container', ':::{figure} a.png\n:width: 3\n:alt: A cat\n\nText.\n:::', 'A cat\nText.'],
  ['options that are seen', '```{tip}\n:label: a\n:heading: B\n:summary: C\n\nText.\n```', 'tip\nB\nC\nText.'],
  ['a role in a title', ':::{card} {octicon}`star` A {ref}`b <c>`\nText.\n:::', 'A b\nText.'],
  ['code in a directive', '````{note}\n```js\n*a* % {b}`c`\n```\nText *here*.\n````', 'note\n*a* % {b}`c`\nText here.'],
  [
    'directives in directives',
    '````{tab-set}\n```{tab-item} One\nText.\n```\n````\n\n```\n*code*\n```',
    'One\nText.\n*code*',
  ],
  ['directives of one mark', '```{card} One\n```{tip} Two\n```\n*three*\n```\n\n*four*', 'One\ntip Two\nthree\nfour'],
  ['a directive in a list', '- one\n\n  ```{note}\n  *two*\n  ```\n\n- three', 'one\nnote\ntwo\nthree'],
  ['a directive that its list item ends', '- ```{note}\n  *two*\n\n```\n*code*\n```', 'note\ntwo\n*code*'],
  ['options of code', '```{code-block} python\n:linenos:\n:name: b\n*a*\n:c: d\n```', '*a*\n:c: d'],
  ['the label of a formula', '(a)=\n\n```{math}\n:label: b\nx_1 = *y*\n```', 'x_1 = *y*'],
  ['a caption of code', '```{code-block} python\n:linenos:\n:caption: b.py\n\n*a*\n```', 'b.py\n*a*'],
  ['a caption in YAML', '```{code-cell} python\n---\ntags: [a]\ncaption: b\n---\n*a*\n```', 'b\n*a*'],
  ['a table of contents', '```{toctree}\n:hidden:\n:caption: One *two*\n\na/b.md\nThree <c>\n```', 'One *two*\nThree'],
  [
    'contents in a container',
    ':::{toctree}\n:caption: One\n\na/b.md\nTwo <c>\n\na/d\n:::\n\nThree.',
    'One\nTwo\nThree.',
  ],
  ['options of what is included', '(a)=\n\nOne.\n\n```{autoclass} a.B\n:members:\n```\n\nTwo.', 'One.\nTwo.'],
  ['code in code', '````{code-block} md\n\n```{code-block}\n:a: b\n```\n````', '```{code-block}\n:a: b\n```'],
  ['an exercise', '```{exercise} On *tea*\n:label: a\n\nBoil $x_1$ *cups*.\n```', 'On tea\nBoil x_1 cups.'],
  [
    'an exercise with code and its solution',
    '```{exercise-start}\n:label: a\n```\nBoil *it*.\n```{exercise-end}\n```\n\n' +
      '```{solution-start} a\n:class: dropdown\n```\n\nHot *tea*.\n\n```{solution-end}\n```',
    'Boil it.\nHot tea.',
  ],
  ['a theorem', '````{prf:theorem} Euler\n:label: b\n\nAll is *one*.\n````', 'Euler\nAll is one.'],
  ['entries of an index', '```{index} single: Tea\n```\n\nHot *tea*.', 'Hot tea.'],
  ['raw HTML', '```{raw} jupyter\n<div id="a">\n  <a href="b">Tea</a>\n</div>\n```\n\nHot.', 'Tea\nHot.'],
  ['comments and breaks', '(a)=\n\nOne.\n% not this\n+++\nTwo.\n^^^\nThree.', 'One.\nTwo.\nThree.'],
  ['a role with a target', '(a)=\n\nSee {ref}`the tea <tea>` and {func}`~a.b`.', 'See the tea and a.b.'],
  ['roles', '(a)=\n\n{octicon}`star` Let {math}`x_1` be H{sub}`2`O, `{a}`.', 'Let x_1 be H2O, {a}.'],
])('MyST, %s: what a reader sees is embedded', (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});

test.each([
  ['a reference', 'See {ref}`the *tea* <tea>` and {doc}`/a/b`.', 'See the *tea* and /a/b.'],
  ['a role of a domain', 'Call {py:func}`~a.b` or {external+sphinx:ref}`c <d>`.', 'Call a.b or c.'],
])('%s is recognised as a role of Sphinx in a text with no other marks of MyST', (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});

test.each([
  ['a percent sign and a role', '% of {ref}`a`', '% of a'],
  ['a name in braces before code', 'Set {name}`a` and {a.b}`c`.', 'Set {name}a and {a.b}c.'],
  ['code of R', '```{r} a\n% *b*\n```\n\n% c', '% *b*\n% c'],
  ['a call', 'f(a)= 3\n\n% c', 'f(a)= 3\n% c'],
])('%s in a text that is not MyST is embedded as it stands', (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});
