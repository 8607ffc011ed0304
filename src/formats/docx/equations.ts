/** An element of an equation, with the texts of the elements in it. */
interface Part {
  readonly name: string;
  text: string;
  readonly parts: Part[];
}

// Each of these stops at the next one that begins: the end tags of hostile files are missing.
const EQUATION = /<m:oMath(?:\s[^<>]*)?>(?:(?!<m:oMath[\s>])[\s\S])*?<\/m:oMath>/g;
/** Text that was deleted while changes are tracked; not a deleted paragraph mark, which is an empty element. */
const DELETED = /<w:del(?:\s[^<>]*[^<>/])?>(?:(?!<w:del[\s>])[\s\S])*?<\/w:del>/g;
/** Between two equations: in one paragraph, each is on a line of its own. */
const BETWEEN = /<\/m:oMath>\s*(?=<m:oMath[\s>])/g;
const AROUND = /<m:oMathParaPr>(?:(?!<m:oMathParaPr>)[\s\S])*?<\/m:oMathParaPr>|<\/?m:oMathPara(?:\s[^<>]*)?>/g;

/** The tags of equations, and text. */
const TOKEN = /<(\/?)m:(\w+)\b(?:\s+m:val="([^"<]*)")?[^<>]*?(\/?)>|<[^<>]*>|([^<]+)/g;

/** Properties that name signs before or around other parts, or tell kinds of fractions. */
const SIGNS = new Set(['begChr', 'chr', 'endChr', 'sepChr', 'type']);

/** The XML of a Word document in which each equation is a line of text, as mathematicians type it: `(a+b)/2`. */
export function withEquations(xml: string): string {
  return xml
    .replace(AROUND, '')
    .replace(BETWEEN, `$&${runOf('; ')}`)
    .replace(EQUATION, (equation) => runOf(textOf(equation.replace(DELETED, ''))));
}

function runOf(text: string): string {
  return `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
}

/** The text of an equation, with the references of XML as they are. Not by recursion. */
function textOf(equation: string): string {
  const whole: Part = { name: '', text: '', parts: [] };
  const open = [whole];
  for (const [, close, name, value = '', empty, text] of equation.matchAll(TOKEN)) {
    const inner = open.at(-1) as Part;
    if (text !== undefined && inner.name === 't') inner.text += text;
    if (name === undefined) continue;
    if (!close) open.push({ name, text: SIGNS.has(name) ? value : '', parts: [] });
    if (!(close || empty) || open.length === 1) continue;
    const ended = open.pop() as Part;
    const outer = open.at(-1) as Part;
    // Properties are those of the element around them.
    if (ended.name.endsWith('Pr')) outer.parts.push(...ended.parts.filter((part) => SIGNS.has(part.name)));
    else outer.parts.push({ ...ended, text: ended.parts.length > 0 ? shapeOf(ended) : ended.text, parts: [] });
  }
  return shapeOf(whole);
}

function shapeOf({ name, parts }: Part): string {
  const all = (part: string) => parts.filter((one) => one.name === part).map(({ text }) => text);
  const one = (part: string, otherwise = '') => all(part)[0] ?? otherwise;
  const script = (mark: string, part: string) => (one(part) === '' ? '' : `${mark}${grouped(one(part))}`);
  switch (name) {
    case 'f':
      return `${grouped(one('num'))}${one('type') === 'noBar' ? ' choose ' : '/'}${grouped(one('den'))}`;
    case 'sSub':
    case 'sSup':
    case 'sSubSup':
      return `${one('e')}${script('_', 'sub')}${script('^', 'sup')}`;
    case 'sPre':
      return `${script('_', 'sub')}${script('^', 'sup')}${one('e')}`;
    case 'limLow':
      return `${one('e')}${script('_', 'lim')}`;
    case 'limUpp':
      return `${one('e')}${script('^', 'lim')}`;
    case 'rad':
      return `${one('deg')}√${grouped(one('e'))}`;
    case 'nary':
      return `${one('chr', '∫')}${script('_', 'sub')}${script('^', 'sup')} ${one('e')}`;
    case 'd':
      return `${one('begChr', '(')}${all('e').join(one('sepChr', '|'))}${one('endChr', ')')}`;
    case 'func':
      return `${one('fName')} ${one('e')}`;
    case 'mr':
      return all('e').join(' ');
    case 'm':
      return all('mr').join('; ');
    case 'eqArr':
      // An ampersand aligns the lines.
      return all('e')
        .map((line) => line.replaceAll('&amp;', ''))
        .join('; ');
    default:
      return parts.map((part) => (SIGNS.has(part.name) ? '' : part.text)).join('');
  }
}

/** A text in brackets, unless it is one number or letter, or has some. */
function grouped(text: string): string {
  return /^(?:[\p{L}\p{M}]|[\p{N}.,]+|&#?\w+;|\([^()]*\)|)$/u.test(text) ? text : `(${text})`;
}
