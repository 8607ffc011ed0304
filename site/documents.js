import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Leaves only what users read for the search of the site, in .gitignore syntax. Decisions would crowd it out. */
export const IGNORE = ['/*', '!/README.md', '!/docs/', '/docs/decisions/'];

/** The pages of the sidebar. Their titles are those of the documents; `site/api/` is written by TypeDoc. */
export const GROUPS = {
  Start: ['README.md', 'docs/tutorial.md'],
  'How to': [
    'docs/how-to/several-folders.md',
    'docs/how-to/own-model.md',
    'docs/agents.md',
    'docs/editors.md',
    'docs/evaluation.md',
    'docs/how-to/ci.md',
    'docs/how-to/container.md',
    'docs/how-to/systemd.md',
    'docs/how-to/reverse-proxy.md',
    'docs/deploy/README.md',
    'examples/bot/README.md',
  ],
  Use: ['docs/command-line.md', 'docs/search-page.md', 'docs/library.md', 'docs/api.md'],
  Run: ['docs/operations.md', 'docs/scale.md', 'docs/reliability.md', 'docs/security.md'],
  Reference: [
    'docs/reference/commands.md',
    'docs/reference/operations.md',
    'docs/reference/errors.md',
    'docs/reference/limits.md',
    'site/api/index.md',
    'docs/glossary.md',
  ],
  Explanation: [
    'docs/passages.md',
    'docs/ranking.md',
    'docs/model.md',
    'docs/benchmarks.md',
    'ARCHITECTURE.md',
    'docs/decisions/README.md',
  ],
  Project: ['CONTRIBUTING.md', 'CHANGELOG.md'],
};
