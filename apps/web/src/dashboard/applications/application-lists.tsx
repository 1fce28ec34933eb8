import { Outlet } from '@tanstack/react-router';
import { t } from '../../texts';
import { PageTabs } from '../../ui/page-tabs';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';

/** The tabs of the area: applications, APIs, what users allowed, and what they asked for. */
export function ApplicationLists() {
  const base = `/dashboard/organizations/${useOrganizationId()}/applications`;
  const canReadApis = useHasPermission('oauth_resources:read');
  const canReadGrants = useHasPermission('oauth_grants:read');
  const canReadRequests = useHasPermission('application_approvals:read');
  return (
    <>
      <PageTabs
        label={t('shell.areas.applications')}
        tabs={[
          { label: t('applications.title'), to: base },
          ...(canReadApis ? [{ label: t('applications.apis.title'), to: `${base}/apis` }] : []),
          ...(canReadRequests ? [{ label: t('applications.requests.title'), to: `${base}/requests` }] : []),
          ...(canReadGrants ? [{ label: t('applications.access.title'), to: `${base}/access` }] : []),
        ]}
      />
      <Outlet />
    </>
  );
}
