import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../api/client';
import { ApiProblem } from '../../../api/problem';
import { queryClient } from '../../../app/query-client';
import { type Session, sessionQuery } from '../../../app/session';

const PAGE = '/dashboard/getting-started';

/**
 * The token of the one-time link. Reading removes the token from the address bar, to keep the token out of the history,
 * screenshots and shared URLs.
 */
let linkToken = readToken();

function readToken(): string | null {
  const { pathname, hash } = window.location;
  if (pathname.replace(/\/$/, '') !== PAGE) return null;
  const token = new URLSearchParams(hash.slice(1)).get('token');
  if (hash !== '') window.history.replaceState(window.history.state, '', pathname);
  return token;
}

/** Reads the token of another link that is opened in this window. Returns whether the URL has a token. */
export function readNewLink(): boolean {
  const token = readToken();
  if (token === null) return false;
  linkToken = token;
  return true;
}

/** Exchanges the link for an operator session once. Without a link, returns the current operator session or null. */
export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: async (): Promise<Session | null> => {
    if (linkToken !== null) {
      const token = linkToken;
      linkToken = null;
      await unwrap(api.POST('/v1/auth/operator-session', { body: { token } }));
      return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    }
    const session = await queryClient.ensureQueryData(sessionQuery).catch(nullIfUnauthenticated);
    return session?.kind === 'operator' ? session : null;
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

function nullIfUnauthenticated(error: unknown): null {
  if (error instanceof ApiProblem && error.status === 401) return null;
  throw error;
}
