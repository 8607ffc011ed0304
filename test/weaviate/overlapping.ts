import { Cluster } from '#src/weaviate/connection/cluster.js';

type Request = 'body' | 'roundTrip' | 'deleteWhere';

/** A cluster that calls something after each request of a kind. */
function calling(cluster: Cluster, method: Request, call: () => Promise<void>): Cluster {
  return new Proxy(cluster, {
    get(target, name) {
      const isMethod = Object.getOwnPropertyDescriptor(Cluster.prototype, name)?.value !== undefined;
      const value = Reflect.get(target, name, target);
      if (name !== method) return isMethod ? value.bind(target) : value;
      return async (...request: unknown[]) => {
        const answer = await value.apply(target, request);
        await call();
        return answer;
      };
    },
  });
}

/**
 * Two changes by two processes: when the first has read what it changes, the second begins, and the first goes on once
 * the second has ended or has found that it must wait. Returns how both ended.
 */
export async function overlapping<Records, A, B>(
  { cluster, open }: { readonly cluster: Cluster; readonly open: (cluster: Cluster) => Records },
  first: (records: Records) => Promise<A>,
  { after, second }: { after: 'body' | 'roundTrip'; second: (records: Records) => Promise<B> },
): Promise<[PromiseSettledResult<A>, PromiseSettledResult<B>]> {
  let waits = () => {};
  // It withdraws its claim.
  const isWaiting = new Promise<void>((resolve) => {
    waits = resolve;
  });
  let other: Promise<B> | undefined;
  const through = calling(cluster, after, async () => {
    if (other) return;
    other = second(open(calling(cluster, 'deleteWhere', async () => waits())));
    await Promise.race([isWaiting, other.catch(() => {})]);
  });
  const [one] = await Promise.allSettled([first(open(through))]);
  const [two] = await Promise.allSettled([other as Promise<B>]);
  return [one, two];
}
