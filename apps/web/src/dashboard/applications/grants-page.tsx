import { useSearch } from '@tanstack/react-router';
import { t } from '../../texts';
import { PageHeader } from '../../ui/page-header';
import { GrantsTable } from './grants-table';

export function GrantsPage() {
  const { page = 1 } = useSearch({ from: '/dashboard/organizations/$org/application-lists/applications/access' });
  return (
    <>
      <PageHeader title={t('applications.access.title')} description={t('applications.access.description')} />
      <GrantsTable page={page} />
    </>
  );
}
