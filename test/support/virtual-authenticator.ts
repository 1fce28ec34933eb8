import type { CDPSession, Page } from 'playwright-core';

/** A device's own authenticator, which keeps passkeys. */
export interface VirtualAuthenticator {
  /** What else can be done to it: the domain `WebAuthn` of the Chrome DevTools protocol. */
  readonly devTools: CDPSession;
  readonly authenticatorId: string;
}

/** Gives the browser of a page an authenticator that is built in and unlocked. */
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
