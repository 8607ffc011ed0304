import { printMessage } from '../output/print.js';

/** Opens an address or a file in the browser, or says that none could be opened. */
export async function openInBrowser(address: string): Promise<void> {
  const failed = (error: Error) =>
    printMessage(`No browser could be opened (${error.message}): open ${address} yourself.`);
  try {
    const browser = await (await import('open')).default(address);
    browser.once('error', failed);
  } catch (error) {
    failed(error as Error);
  }
}
