import { createContext, useContext } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { usePageSearch } from './open-page';
import { interactionOf } from './return-to';
import { useLoaded } from './use-loaded';

export type Application = Schema<'OauthApplicationResponse'>;

/** The application to which the user continues after the sign-in. */
export const ApplicationContext = createContext<Application | undefined>(undefined);

export const useApplication = (): Application | undefined => useContext(ApplicationContext);

/** Returns whether the authorization request has expired, was answered, or was started in another browser. */
export const isRequestOver = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === 'oauth_interaction_not_found';

/** Loads the application that waits for the sign-in of the page. Returns nothing if no application waits. */
export function useLoadedApplication(): { readonly application: Application | undefined; readonly isOver: boolean } {
  const { data, error } = useLoaded(interactionOf(usePageSearch().returnTo), loadApplication);
  return { application: data, isOver: isRequestOver(error) };
}

const loadApplication = async (id: string): Promise<Application> =>
  (await unwrap(api.GET('/v1/oauth/interactions/{id}/application', { params: { path: { id } } }))).data;
