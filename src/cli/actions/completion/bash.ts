import type { CommandWords } from './words.js';

/** Completion for bash. What it does not know is completed as the path of a file. */
export function bashScript(commands: readonly CommandWords[]): string {
  const paths = commands.filter(({ path }) => path.length > 0).map(({ path }) => quoted(path));
  const afterOption = commands.flatMap(({ path, options }) =>
    options.flatMap(({ name, values }) => {
      if (values === undefined) return [];
      return `    ${quoted([...path, name])}) words='${values.join(' ')}' ;;`;
    }),
  );
  const words = commands.map(({ path, commands, options, values }) => {
    const names = [...commands, ...options].map(({ name }) => name);
    return `      ${quoted(path)}) words='${[...names, ...values].join(' ')}' ;;`;
  });
  return `# Completion of waymark for bash, by "waymark completion bash".
_waymark() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" given='' command='' words='' word
  # Bash makes three words of --mode=d, or one if COMP_WORDBREAKS has no =.
  if [[ $current == = ]]; then
    current=''
  elif [[ $before == = ]]; then
    before="\${COMP_WORDS[COMP_CWORD-2]}"
  elif [[ $current == --*=* ]]; then
    before="\${current%%=*}" given="\${current%%=*}=" current="\${current#*=}"
  fi
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "\${command:+$command }$word" in
      ${paths.join(' | ')}) command="\${command:+$command }$word" ;;
    esac
  done
  case "\${command:+$command }$before" in
${afterOption.join('\n')}
    *) case "$command" in
${words.join('\n')}
    esac ;;
  esac
  COMPREPLY=()
  for word in $words; do
    # Options are offered once a dash is typed: before, a path is more likely.
    if [[ $word == "$current"* && ( $word != -* || $current == -* ) ]]; then COMPREPLY+=("$given$word"); fi
  done
}
complete -o default -F _waymark waymark
`;
}

/** The same for zsh, which runs completion of bash: sourced, or found as `_waymark` in its path of functions. */
export function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef waymark
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}if [[ "\${funcstack[1]}" = _waymark ]]; then _bash_complete -o default -F _waymark; fi
`;
}

function quoted(words: readonly string[]): string {
  return `'${words.join(' ')}'`;
}
