import type { PageMeta } from '../contract/fields/page.js';
import { WaymarkError } from '../domain/errors.js';

/** The items of a list, fetched as they are consumed. */
export type Each<Item> = AsyncGenerator<Item, void, undefined>;

/** The items of the requested page and all later ones. Each page is fetched once the previous one is consumed. */
export async function* eachOf<Request extends PageRequest, Page extends { readonly meta: PageMeta }, Item>(
  request: Request,
  { page, items }: { page: (request: Request) => Promise<Page>; items: (page: Page) => readonly Item[] },
): Each<Item> {
  for (let next = request; ; ) {
    const answer = await page(next);
    yield* items(answer);
    const { nextToken } = answer.meta;
    if (nextToken === undefined) return;
    if (nextToken === next.nextToken) {
      const message = 'The server returned the same page twice: list again from the first page.';
      throw new WaymarkError('RESPONSE_INVALID', message);
    }
    next = { ...request, nextToken };
  }
}

interface PageRequest {
  readonly nextToken?: string | undefined;
}
