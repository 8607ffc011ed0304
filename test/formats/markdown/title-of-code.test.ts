import { expect, test } from 'vitest';
import { contents, embedded } from './counting.js';

test.each([
  ['of Docusaurus', 'js title="src/a.js" {1,3-4} showLineNumbers', 'src/a.js'],
  ['of VitePress', 'js{2} twoslash [vite.config.js]', 'vite.config.js'],
  ['after empty braces', 'vue {}[pages/parent.vue]', 'pages/parent.vue'],
  ['without a language', '[.env]', '.env'],
  ['of Nuxt, with brackets', 'ts [server/[id\\\\].ts]', 'server/[id].ts'],
  ['with brackets that nothing escapes', 'ts [users/[id]/profile.ts]', 'users/[id]/profile.ts'],
  ['of Nextra', 'ts filename="app/page.ts" copy', 'app/page.ts'],
  ['of Pandoc', "{.bash filename='Terminal' #id}", 'Terminal'],
  ['of Hugo', 'sh {file="build.sh" copy=true}', 'build.sh'],
  ['of Gatsby', 'js:title=src/a.js', 'src/a.js'],
  ['by a name', 'js {name="main.js"}', 'main.js'],
  ['by a caption', 'bash caption="Install &quot;it&quot;"', 'Install "it"'],
  ['after a string to highlight', 'js "[a]" \'title="b"\' /[c] [d]/ title="e.js"', 'e.js'],
  ['after an empty title', 'js title="" [1,3-4] [a.js]', 'a.js'],
])('a title %s is embedded above its code', (_, info, title) => {
  expect(embedded(`~~~${info}\nlet it;\n~~~`)).toEqual([`${title}\nlet it;`]);
});

test.each([
  ['a language', 'js'],
  ['words', 'ts twoslash title copy'],
  ['ranges of lines', 'js {1,3-4} [1,3-4] [2|3]'],
  ['other attributes', 'js data-title="a" subtitle="b" lang="c" hl_lines="2" {linenos=table,hl_lines=[8,"15-17"]}'],
  ['strings to highlight', 'js "title=\'a\'" /[bc]/ ins="d"'],
  ['a list of attributes', '{.python .numberLines startFrom="100"}'],
  ['an included file', 'js file=./a.js#L3-L6'],
])('after a fence, this is not a title: %s', (_, info) => {
  expect(embedded(`~~~${info}\nlet it;\n~~~`)).toEqual(['let it;']);
});

test.each([
  ['in a quote', '> ```js [a.js]\n> let it;\n> ```'],
  ['in an item', '- ```js title="a.js"\n  let it;\n  ```'],
  ['in MDX', "import A from 'b'\n\n<A>\n\n    ```js title='a.js'\n    let it;\n    ```\n\n</A>"],
])('a title %s is embedded', (_, text) => {
  expect(embedded(text)).toEqual(['a.js\nlet it;']);
});

test('a title belongs to the first part of code that is cut, whose content stays a slice', () => {
  const text = '```js [It]\none two\nthree four\n```';
  expect(embedded(text, { budget: 3 })).toEqual(['It\none two', 'three four']);
  expect(contents(text, { budget: 3 })).toEqual(['```js [It]\none two', 'three four\n```']);
});
