import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../api/client';
import { bestLanguage, loadTexts, t } from '../texts';

/** Who is signed in: a user, or an operator who came by a one-time link. */
export interface Session {
  readonly kind: 'user' | 'operator';
  /** What the pages call them. */
  readonly name: string;
  /** The end, whatever the activity. */
  readonly expiresAt: string;
  /** Null for an operator, who is no user of any organization. */
  readonly user: Schema<'MeResponse'> | null;
}

/** Who is signed in; asked once for a page load, and again after each sign-in or sign-out. @throws ApiProblem 401 when nobody is */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session> => {
    const { data: session } = await answerOf(api.GET('/v1/auth/session'));
    const { kind, expiresAt } = session;
    if (kind === 'operator') return { kind, name: t('shell.operator'), expiresAt, user: null };
    const { data: user } = await answerOf(api.GET('/v1/auth/me'));
    await loadTexts(bestLanguage([user.locale, ...navigator.languages]));
    return { kind, name: user.displayName ?? user.email, expiresAt, user };
  },
  staleTime: Number.POSITIVE_INFINITY,
});
