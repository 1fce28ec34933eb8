import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client';
import { ApiProblem } from '../../../api/problem';
import { queryClient } from '../../../app/query-client';
import { type Session, sessionQuery } from '../../../app/session';

const PAGE = '/dashboard/first-hour';

/**
 * The token of the one-time link that led here. It is taken out of the address bar before anything else happens, so that it stands in no
 * history, picture of the screen or address that is passed on.
 */
let linkToken = takeToken();

function takeToken(): string | null {
  const { pathname, hash } = window.location;
  if (pathname.replace(/\/$/, '') !== PAGE) return null;
  const token = new URLSearchParams(hash.slice(1)).get('token');
  if (hash !== '') window.history.replaceState(window.history.state, '', pathname);
  return token;
}

/** Takes over the token of a link that was opened in a window where the page stood already. */
export function takeFurtherLink(): boolean {
  const token = takeToken();
  if (token === null) return false;
  linkToken = token;
  return true;
}

/** The operator's session, for which the link is handed in once; null without a link, unless there is a session already. */
export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: async (): Promise<Session | null> => {
    if (linkToken !== null) {
      const token = linkToken;
      linkToken = null;
      await answerOf(api.POST('/v1/auth/operator-session', { body: { token } }));
      return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    }
    const session = await queryClient.ensureQueryData(sessionQuery).catch(nullIfNobody);
    return session?.kind === 'operator' ? session : null;
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

function nullIfNobody(error: unknown): null {
  if (error instanceof ApiProblem && error.status === 401) return null;
  throw error;
}
