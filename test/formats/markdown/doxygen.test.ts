import { expect, test } from 'vitest';
import { showMarkdown } from '#src/formats/markdown/visible/shown-markdown.js';
import { embedded, outline } from './counting.js';

test.each([
  ['a reference', 'See @ref GLFW_DLL, and (\\ref build_guide).', 'See GLFW_DLL, and (build_guide).'],
  ['a reference with a text', 'See @ref input_keys "how keys are read".', 'See how keys are read.'],
  ['a reference on two lines', 'It returns @ref\nglfwInit now.', 'It returns\nglfwInit now.'],
  ['a reference to a function', 'Call @ref glfwInit() first.', 'Call glfwInit first.'],
  ['a link', 'See [the hints](@ref window_hints).', 'See the hints.'],
  ['an anchor', '@anchor GLFW_DLL\n__GLFW_DLL__ is required.', 'GLFW_DLL is required.'],
  ['a kind of paragraph', '\\anchor a_b\n\n@note It is *old*.', 'note It is old.'],
  ['a text', 'See @ref a_b: use @c int and @b bold.', 'See a_b: use int and bold.'],
  ['an image', 'One.\n\n@image html a/b.png "Two three" width=80%\n\nFour.', 'One.\nTwo three\nFour.'],
  ['an image without a text', 'One.\n  \\image html a/b.png width=80%\nTwo.', 'One.\nTwo.'],
  ['excerpts', '@tableofcontents\n\nOne.\n\n\\snippet a/b.cc c\n\\include d.cc\n\nTwo.', 'One.\nTwo.'],
  ['code', '\\anchor a_b\n\nOne.\n\n@code{.cpp}\n@ref a_b\n# b\n@endcode\n\nTwo.', 'One.\n@ref a_b\n# b\nTwo.'],
  ['an escaped mark', 'See @ref a_b and \\*this\\*.', 'See a_b and *this*.'],
])('Doxygen, %s: what a reader sees is embedded', (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});

test('a page of Doxygen and its sections have titles', () => {
  const text = '\\page install_it Install it\n\nOne.\n\n@section a_b From *source*\n\nTwo.';
  expect(outline(text)).toEqual(['Install it: One.', 'Install it > From source: Two.']);
});

test('code of Doxygen is shown as code', () => {
  const text = 'See @ref a_b.\n\n@code{.cpp}\nint a;\n@endcode';
  expect(showMarkdown(text)).toBe('See a_b.\n\n```cpp\nint a;\n```');
});

test.each([
  'Ask @note or @b on the forum, @ref.',
  'Write \\ref{fig:a} for a figure, and \\page in TeX.',
  'Use `@ref name` and `\\page a B`.',
  'The decorator is\n@section\nor mail a@ref b.',
])('text that only resembles commands of Doxygen is embedded as it stands: %s', (text) => {
  expect(embedded(text)).toEqual([text.replaceAll('`', '')]);
});
