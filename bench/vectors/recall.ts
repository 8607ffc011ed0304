/** Mean share of the exact neighbours that are found, over queries that have any; 1 where none has. */
export function meanRecall(found: readonly (readonly number[])[], exact: readonly (readonly number[])[]): number {
  const shares = exact.flatMap((wanted, query) => {
    const had = new Set(found[query]);
    return wanted.length === 0 ? [] : [wanted.filter((id) => had.has(id)).length / wanted.length];
  });
  return shares.length === 0 ? 1 : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
