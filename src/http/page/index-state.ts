import { counted, type EngineStatus } from '../../index.js';
import { type Html, html } from '../html.js';

/** Warnings that are listed; `waymark status` lists all. */
const WARNINGS = 50;

/** What the index holds, in a line; its warnings on demand. */
export function indexState({ bot, files, passages, model, warnings }: EngineStatus, pending: number): Html {
  const parts = [
    `${counted(files, 'file')}, ${counted(passages, 'passage')}`,
    bot.deployedAt ? `indexed ${bot.deployedAt.slice(0, 16).replace('T', ' ')} UTC` : 'not fully indexed yet',
    ...(pending > 0 ? [`${counted(pending, 'upload')} waiting`] : []),
    model.id,
  ];
  return html`<footer>
<p>${bot.name}: ${parts.join(' · ')}</p>
${warnings.length > 0 && warningDetails(warnings)}
<p class="keys"><kbd>/</kbd> search <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> back</p>
</footer>`;
}

function warningDetails(warnings: EngineStatus['warnings']): Html {
  const rest = warnings.length - WARNINGS;
  return html`<details><summary>${counted(warnings.length, 'warning')}</summary><ul>
${warnings.slice(0, WARNINGS).map(({ key, reason }) => html`<li>${key}: ${reason}</li>`)}
${rest > 0 && html`<li>and ${rest} more: waymark status</li>`}
</ul></details>`;
}

/** What to do while nothing is indexed: without its name, the command would index into another bot. */
export function emptyIndex(bot: string): Html {
  const named = bot === 'default' ? '' : ` --bot ${/^[\w.-]+$/.test(bot) ? bot : `'${bot}'`}`;
  const command = `waymark index <folder>${named}`;
  return html`<p class="notice">Bot “${bot}” has no files yet. Index some with: ${command}</p>`;
}
