import type { CDPSession, Page } from 'playwright-core';

/** The compressed sizes of the loaded files by path, in bytes without headers. Excludes API responses. */
export type LoadedFiles = ReadonlyMap<string, number>;

/** Opens a page with an empty cache and returns the files that it loads. */
export async function filesLoadedBy(page: Page, address: string): Promise<LoadedFiles> {
  const devTools: CDPSession = await page.context().newCDPSession(page);
  const paths = new Map<string, string>();
  const bytes = new Map<string, number>();
  devTools.on('Network.responseReceived', ({ requestId, response }) => paths.set(requestId, new URL(response.url).pathname));
  devTools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId) ?? '';
    if (!path.startsWith('/v1/')) bytes.set(path, (bytes.get(path) ?? 0) + encodedDataLength);
  });
  await devTools.send('Network.enable');
  await devTools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await devTools.detach();
  return bytes;
}
