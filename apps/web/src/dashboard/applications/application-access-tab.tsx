import { GrantsTable } from './grants-table';
import { useApplication } from './use-application';

export function ApplicationAccessTab() {
  const { application } = useApplication();
  return <GrantsTable clientId={application.id} />;
}
