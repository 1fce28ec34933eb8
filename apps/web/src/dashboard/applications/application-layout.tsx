import { Anchor, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { PageTabs } from '../../ui/page-tabs';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { applicationQuery } from './application-queries';
import { ApplicationStatus } from './application-status';
import { hasSecrets } from './use-application';

/** An application with its tabs. */
export function ApplicationLayout() {
  const org = useOrganizationId();
  const { clientId } = useParams({ from: '/dashboard/organizations/$org/applications/$clientId' });
  const canReadGrants = useHasPermission('oauth_grants:read');
  const query = useQuery(applicationQuery(org, clientId));
  const lists = `/dashboard/organizations/${org}/applications`;
  const base = `${lists}/${clientId}`;
  if (query.error && !query.data)
    return (
      <>
        <PageHeader title={t('applications.title')} />
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      </>
    );
  if (!query.data) return <Skeleton h={320} />;
  const { application } = query.data;
  return (
    <>
      <Anchor component={Link} to={lists} size="sm">
        ← {t('applications.title')}
      </Anchor>
      <PageHeader
        title={application.name}
        description={t(`applications.types.${application.type}`)}
        badge={<ApplicationStatus application={application} />}
      />
      <PageTabs
        label={application.name}
        tabs={[
          { label: t('applications.tabs.connect'), to: base },
          ...(hasSecrets(application) ? [{ label: t('applications.tabs.secrets'), to: `${base}/secrets` }] : []),
          ...(canReadGrants && application.type !== 'machine'
            ? [{ label: t('applications.tabs.access'), to: `${base}/access` }]
            : []),
          ...(application.type === 'machine' ? [] : [{ label: t('applications.tabs.logout'), to: `${base}/logout` }]),
          { label: t('applications.tabs.settings'), to: `${base}/settings` },
        ]}
      />
      <Outlet />
    </>
  );
}
