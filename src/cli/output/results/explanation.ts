import type { Explanation } from '../../../index.js';

/** How a hit got its score: one line per retriever, and one for the sum. */
export function describeExplanation({ dense, lexical, parts, sum, lead, contrast }: Explanation): string[] {
  const lines: string[] = [];
  if (dense) {
    const cosine = dense.cosine === undefined ? 'not embedded yet' : `cosine ${dense.cosine.toFixed(3)}`;
    lines.push(`dense    ${cosine}${describeRank(dense.rank)}`);
  }
  if (lexical) {
    const { bm25, share, rank, terms } = lexical;
    const percent = `${(100 * share).toFixed(0)}% of the maximum`;
    const matches = terms.length > 0 ? `: ${terms.join(', ')}` : '';
    lines.push(`lexical  BM25 ${bm25.toFixed(2)}, ${percent}${describeRank(rank)}${matches}`);
  }
  const addends = Object.entries(parts).map(([name, part], i) => {
    const sign = part < 0 ? '− ' : i > 0 ? '+ ' : '';
    return `${sign}${name} ${Math.abs(part).toFixed(3)}`;
  });
  lines.push(`sum      ${sum.toFixed(3)} = ${addends.join(' ')}`);
  const standing = [`lead ${signed(lead)}`, ...(contrast === undefined ? [] : [`contrast ${signed(contrast)}`])];
  lines.push(`score    from the sum, ${standing.join(', ')}`);
  return lines;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

function describeRank(rank: number | undefined): string {
  return rank === undefined ? '' : ` (rank ${rank})`;
}
