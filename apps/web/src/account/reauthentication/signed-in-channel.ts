/** The page after a sign-in in a new tab. */
export const SIGNED_IN_PAGE = '/account/signed-in';

const CHANNEL = 'signed-in';

/** Tells the other tabs that the user has signed in. */
export function announceSignIn(): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only its own origin
  channel.postMessage(null);
  channel.close();
}

/** Calls `listener` when the user may have signed in: after a sign-in in another tab, and when the user returns to this tab. */
export function listenForSignIns(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', listener);
  window.addEventListener('focus', listener);
  return () => {
    channel.close();
    window.removeEventListener('focus', listener);
  };
}
