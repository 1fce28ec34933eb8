import type { CDPSession } from 'playwright-core';
import type { Window } from './web.js';

/** The compressed sizes of the loaded files by path, in bytes without headers. Excludes API responses. */
export type LoadedFiles = ReadonlyMap<string, number>;

/** Opens a page with an empty cache and returns the files that it loads. */
export async function filesLoadedBy({ context, page }: Window, address: string): Promise<LoadedFiles> {
  const devTools: CDPSession = await context.newCDPSession(page);
  const paths = new Map<string, string>();
  const bytes = new Map<string, number>();
  devTools.on('Network.responseReceived', ({ requestId, response }) => paths.set(requestId, new URL(response.url).pathname));
  devTools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId) ?? '';
    if (!path.startsWith('/v1/')) bytes.set(path, (bytes.get(path) ?? 0) + encodedDataLength);
  });
  await devTools.send('Network.enable');
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await devTools.detach();
  return bytes;
}
