import type { PageMeta } from '../contract/operations.js';
import { WaymarkError } from '../domain/errors.js';

/** Items one after the other, fetched as they are consumed. */
export type Each<Item> = AsyncGenerator<Item, void, undefined>;

/** The items of all pages from the one that is asked for; a page is fetched when the one before is used up. */
export async function* eachOf<Request extends PageRequest, Page extends { readonly meta: PageMeta }, Item>(
  request: Request,
  { page, items }: { page: (request: Request) => Promise<Page>; items: (page: Page) => readonly Item[] },
): Each<Item> {
  for (let next = request; ; ) {
    const one = await page(next);
    yield* items(one);
    const { nextToken } = one.meta;
    if (nextToken === undefined) return;
    if (nextToken === next.nextToken) {
      const message = 'The server gave the same page twice: ask for the list again from its first page.';
      throw new WaymarkError('RESPONSE_INVALID', message);
    }
    next = { ...request, nextToken };
  }
}

interface PageRequest {
  readonly nextToken?: string | undefined;
}
