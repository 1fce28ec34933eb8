import { api } from '../../../api/client';
import { t } from '../../../texts';
import { PageHeader } from '../../../ui/page-header';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { DomainList } from './domain-list';

export function DomainsPage() {
  const org = useOrganizationId();
  const canWrite = useHasPermission('domains:write');
  return (
    <>
      <PageHeader title={t('domains.title')} description={t('domains.description')} />
      <DomainList client={api} org={org} canWrite={canWrite} headingOrder={2} />
    </>
  );
}
