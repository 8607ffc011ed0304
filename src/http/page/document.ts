import { type Html, html } from '../html.js';

/** Headers of everything that the page consists of: nothing is loaded from elsewhere, framed, cached or passed on. */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    ...['script-src', 'style-src', 'img-src', 'connect-src', 'form-action'].map((what) => `${what} 'self'`),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** A whole page. */
export function document({ title, body }: { readonly title: string; readonly body: Html }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/page/icon.svg">
<link rel="stylesheet" href="/page/search.css">
<script type="module" src="/page/search.js"></script>
</head>
<body>
${body}
</body>
</html>
`.text;
}

/** A page that says what is wrong. */
export function errorDocument(message: string): string {
  return document({
    title: 'Waymark',
    body: html`<main><h1><a href="/">Waymark</a></h1><p class="notice" role="alert">${message}</p></main>`,
  });
}
