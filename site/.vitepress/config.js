import { readFileSync } from 'node:fs';
import path from 'node:path';
import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';
import { GROUPS, ROOT } from '../documents.js';

function groupOf([text, documents]) {
  const items = documents.map((document) => ({ text: titleOf(document), link: `/${rewritten(document)}` }));
  return { text, items };
}

function titleOf(document) {
  return /^# (.+)$/m.exec(readFileSync(path.join(ROOT, document), 'utf8'))[1];
}

function rewritten(file) {
  return file.replace(/^site\/api\//, 'api/').replace(/^README\.md$/, 'index.md');
}

/** Pages import Vue, which is installed here and not where the documents lie. */
const vueForDocuments = {
  name: 'vue-for-documents',
  enforce: 'pre',
  resolveId(id, _, { ssr }) {
    return ssr && /^vue(\/|$)/.test(id) ? { id, external: true } : undefined;
  },
};

/** That of the search page. */
const icon = readFileSync(path.join(ROOT, 'src/http/page/browser/icon.svg'), 'utf8');

export default defineConfig({
  title: 'Waymark',
  description: 'Local semantic search over markdown.',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  // Documents stay where they are: the site has no copies.
  srcDir: '..',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  srcExclude: ['{bench,corpus,dist,models,src,test,training}/**'],
  rewrites: rewritten,
  vite: { plugins: [vueForDocuments] },
  markdown: {
    // The anchors of GitHub, which links of the documents use.
    anchor: { slugify: slug },
    config({ renderer }) {
      // Indented code, which the documents use for commands, looks like fenced code.
      renderer.rules.code_block = (tokens, i, ...rest) => {
        tokens[i].info = 'sh';
        return renderer.rules.fence(tokens, i, ...rest);
      };
      // Vue would evaluate what the documents write about templates.
      const render = renderer.render.bind(renderer);
      renderer.render = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
    },
  },
  themeConfig: {
    sidebar: Object.entries(GROUPS).map(groupOf),
    outline: [2, 3],
  },
});
