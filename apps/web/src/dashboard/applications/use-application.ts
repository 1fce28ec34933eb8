import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useOrganizationId } from '../organization';
import { type Application, applicationQuery } from './application-queries';

/** Returns the application of the page. Only for the tabs, which the layout shows when the application is loaded. */
export function useApplication(): { readonly application: Application; readonly etag: string } {
  const { clientId } = useParams({ from: '/dashboard/organizations/$org/applications/$clientId' });
  return useSuspenseQuery(applicationQuery(useOrganizationId(), clientId)).data;
}

/** Whether an application authenticates with a secret. */
export const hasSecrets = ({ authentication }: Application): boolean => authentication.startsWith('client_secret_');
