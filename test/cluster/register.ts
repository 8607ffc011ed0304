/** What an operation on a key did. `value` is undefined for a removal, and for a key that has none. */
export interface Operation {
  readonly kind: 'write' | 'read';
  readonly key: string;
  readonly value: string | undefined;
  /** When it was called, and when it ended, on one clock. A write that failed may happen after its end, or never. */
  readonly begin: number;
  readonly end: number;
  readonly hasFailed?: boolean;
}

/**
 * The keys whose operations no linearisable register could have had: there is no order of them in which each happens
 * between its begin and its end, and each read has the value of the last write before it (Wing and Gong, 1993). A key
 * begins without a value. A failed read proves nothing.
 */
export function violations(history: readonly Operation[]): string[] {
  const known = history.filter(({ kind, hasFailed }) => kind === 'write' || !hasFailed);
  const keys = [...new Set(known.map(({ key }) => key))];
  return keys.filter((key) => !isLinearisable(known.filter((operation) => operation.key === key)));
}

function isLinearisable(operations: readonly Operation[]): boolean {
  const ends = operations.map(({ end, hasFailed }) => (hasFailed ? Number.POSITIVE_INFINITY : end));
  const tried = new Set<string>();
  /** Whether the operations that are left can follow a state. */
  const canEnd = (left: readonly number[], value: string | undefined): boolean => {
    const earliest = Math.min(...left.map((i) => ends[i] as number));
    // Only writes that failed are left: they need not have happened.
    if (earliest === Number.POSITIVE_INFINITY) return true;
    const state = `${left.join()} ${value === undefined ? '' : JSON.stringify(value)}`;
    if (tried.has(state)) return false;
    tried.add(state);
    return left.some((i) => {
      const { kind, begin, value: own } = operations[i] as Operation;
      // Another operation ended before this one began, and comes first.
      if (begin > earliest || (kind === 'read' && own !== value)) return false;
      return canEnd(
        left.filter((other) => other !== i),
        own,
      );
    });
  };
  return canEnd([...operations.keys()], undefined);
}
