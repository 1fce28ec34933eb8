import { queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../api/client';
import { bestLanguage, loadTexts, t } from '../texts';

/** The current session: of a user, or of an operator with a one-time link. */
export interface Session {
  readonly kind: 'user' | 'operator';
  readonly name: string;
  /** The absolute expiry, independent of activity. */
  readonly expiresAt: string;
  /** Null for an operator, who is not a user. */
  readonly user: Schema<'MeResponse'> | null;
}

/** Loads the current session once for each page load. @throws ApiProblem 401 without a session */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session> => {
    // Both requests at once save a round trip. An operator has no user.
    const loadedUser = unwrap(api.GET('/v1/auth/me'));
    loadedUser.catch(() => undefined);
    const { data: session } = await unwrap(api.GET('/v1/auth/session'));
    const { kind, expiresAt } = session;
    if (kind === 'operator') return { kind, name: t('shell.operator'), expiresAt, user: null };
    const { data: user } = await loadedUser;
    await loadTexts(bestLanguage([user.locale, ...navigator.languages]));
    return { kind, name: user.displayName ?? user.email, expiresAt, user };
  },
  staleTime: Number.POSITIVE_INFINITY,
});
