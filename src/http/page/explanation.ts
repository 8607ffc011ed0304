import type { Explanation } from '../../index.js';
import { type Html, html } from '../html.js';

/** How a score was computed, as a table. */
export function explanationTable({ dense, lexical, parts, sum, lead, contrast }: Explanation): Html {
  const rows: [name: string, value: string, rank?: number | undefined][] = [];
  if (dense)
    rows.push([
      'by meaning',
      dense.cosine === undefined ? 'not embedded yet' : `cosine ${decimals(dense.cosine)}`,
      dense.rank,
    ]);
  if (lexical) {
    const share = `BM25 ${lexical.bm25.toFixed(2)}, ${(100 * lexical.share).toFixed(0)}% of the maximum`;
    rows.push([
      'by words',
      lexical.terms.length > 0 ? `${share}: ${lexical.terms.join(', ')}` : 'no word of the query, or only common ones',
      lexical.rank,
    ]);
  }
  for (const [name, part] of Object.entries(parts)) rows.push([name, signed(part)]);
  rows.push(['sum', decimals(sum)], ['lead over the next', signed(lead)]);
  if (contrast !== undefined) rows.push(['contrast', signed(contrast)]);
  return html`<table>
${rows.map(
  ([name, value, rank]) => html`<tr><th scope="row">${name}</th><td>${value}${rank && ` (rank ${rank})`}</td></tr>
`,
)}</table>`;
}

function decimals(value: number): string {
  return value.toFixed(3).replace('-', '−');
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${decimals(value)}`;
}
