import type { CDPSession, Page } from 'playwright-core';

export interface VirtualAuthenticator {
  /** The Chrome DevTools session. */
  readonly devTools: CDPSession;
  readonly authenticatorId: string;
}

/** Adds an unlocked platform authenticator to the browser of a page. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { devTools, authenticatorId };
}
