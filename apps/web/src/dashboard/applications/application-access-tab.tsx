import { useSearch } from '@tanstack/react-router';
import { GrantsTable } from './grants-table';
import { useApplication } from './use-application';

export function ApplicationAccessTab() {
  const { page = 1 } = useSearch({ from: '/dashboard/organizations/$org/applications/$clientId/access' });
  const { application } = useApplication();
  return <GrantsTable page={page} clientId={application.id} />;
}
