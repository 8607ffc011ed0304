import { Argument, type Command } from 'commander';
import { run } from '../run.js';

const HELP = `
Examples:
  waymark completion bash > ~/.local/share/bash-completion/completions/waymark
  waymark completion fish > ~/.config/fish/completions/waymark.fish
  waymark completion zsh > ~/.zfunc/_waymark

Zsh needs "fpath+=(~/.zfunc)" before "compinit" in ~/.zshrc.`;

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell to print the script for').choices(['bash', 'zsh', 'fish']))
    .description('Print a shell script that completes commands, options and their values')
    .addHelpText('after', HELP)
    .action(
      run<[string]>(async () => {
        const { completion } = await import('../actions/completion/completion.js');
        return (shell) => completion(shell, program);
      }),
    );
}
