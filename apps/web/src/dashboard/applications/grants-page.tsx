import { t } from '../../texts';
import { PageHeader } from '../../ui/page-header';
import { GrantsTable } from './grants-table';

export function GrantsPage() {
  return (
    <>
      <PageHeader title={t('applications.access.title')} description={t('applications.access.description')} />
      <GrantsTable />
    </>
  );
}
