/** A place in a file. */
export interface FilePlace {
  /** Absolute. */
  readonly path: string;
  readonly line: number;
}

/** Editors by the form in which they take a line. All others take `+line file`, as vi does. */
const COLON = /^(?:subl|sublime_text|zed|zeditor|hx|helix|micro|lapce)$/;
const GOTO = /^(?:code|code-insiders|codium|vscodium|cursor|windsurf)$/;
const LINE = /^(?:idea|pycharm|webstorm|phpstorm|goland|clion|rider|rubymine|mate)\d*$/;

/** What an editor is started with to show a line. `editor` may have options: `code --wait`. */
export function argumentsOf(editor: string, { path, line }: FilePlace): string[] {
  const [, double, single, plain] = /^(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(editor) ?? [];
  const program = double ?? single ?? plain ?? '';
  const name = program.replace(/^.*[\\/]/, '').replace(/\.(?:exe|cmd)$/, '');
  if (COLON.test(name)) return [`${path}:${line}`];
  if (GOTO.test(name)) return ['--goto', `${path}:${line}`];
  if (LINE.test(name)) return ['--line', String(line), path];
  return [`+${line}`, path];
}
