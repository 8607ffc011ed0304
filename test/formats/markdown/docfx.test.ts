import { expect, test } from 'vitest';
import { embedded, outline } from './counting.js';

test.each([
  ['rows and columns', ':::row:::\n:::column span="2":::\nText.\n:::column-end:::\n:::row-end:::', 'Text.'],
  ['an image', 'One.\n\n:::image type="content" source="a.png" alt-text="A cat":::\n\nTwo.', 'One.\n A cat\nTwo.'],
  ['an image in an item', '- Select :::image type="icon" source="a.png"::: twice.', 'Select twice.'],
  ['a described image', ':::image type="complex" alt-text="A cat"\nText.\n:::image-end:::', 'A cat\nText.'],
  ['a name', 'Press "**:::no-loc text="New":::**" now.', 'Press "New" now.'],
  ['a name at the start of a line', ':::no-loc text="New"::: *is* it.', 'New is it.'],
  ['a version', '::: moniker range=">=v-3.0"\n\nText.\n\n::: moniker-end', 'Text.'],
  ['code of a file', 'So:\n\n:::code language="js" source="a.js" id="b":::', 'So:'],
  ['included code', 'So:\n\n[!code-csharp[Main](a.cs?name=b)]', 'So:'],
  ['an included file', 'One [!INCLUDE [name](a.md)] two.\n\n[!INCLUDE[b](c.md)]', 'One two.'],
  ['a video', '> [!VIDEO https://a.b/c]\n\nText.', 'Text.'],
  ['a division', '> [!div class="checklist"]\n>\n> - One\n> - Two', 'One\nTwo'],
  ['an alert', '> [!IMPORTANT]\n> Text.', 'IMPORTANT\nText.'],
])('DocFX, %s: what a reader sees is embedded', (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});

test('tabs are below the heading above them, whatever their own level, and end at a thematic break', () => {
  const tabs = '# [C#](#tab/cs)\n\na b c\n\n# [C++](#tab/cpp)\n\nd e f\n\n---';
  expect(outline(`# A\n\n## B\n\n${tabs}\n\ng h i\n\n## [D](#e)\n\nj k l`)).toEqual([
    'A > B > C#: a b c',
    'A > B > C++: d e f\n\n---',
    'A > B: g h i',
    'A > D: j k l',
  ]);
});
