import { Anchor, Breadcrumbs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { t } from '../../texts';
import { ancestorsQuery, organizationQuery } from '../organization';

/** Breadcrumbs of the ancestor organizations. */
export function OrganizationPath({ org }: { org: string }) {
  const { data: organization } = useQuery(organizationQuery(org));
  const { data: ancestors = [] } = useQuery(ancestorsQuery(org));
  const { pathname } = useLocation();
  // Keeps the place, so that the page does not move when the organization is loaded.
  if (!organization) return <Text size="sm" mb="xs" h="1lh" aria-hidden />;
  const isOverview = /^\/dashboard\/organizations\/[^/]+\/?$/.test(pathname);
  return (
    <nav aria-label={t('shell.path')}>
      <Breadcrumbs mb="xs" separatorMargin={6} style={{ flexWrap: 'wrap', rowGap: 4 }}>
        <Anchor component={Link} to="/dashboard" activeOptions={{ exact: true }} size="sm">
          {t('shell.allOrganizations')}
        </Anchor>
        {ancestors.map(({ id, name }) => (
          <Anchor key={id} component={Link} to={`/dashboard/organizations/${id}`} size="sm" className="breakable">
            {name}
          </Anchor>
        ))}
        {isOverview ? (
          <Text size="sm" c="dimmed" aria-current="page" className="breakable">
            {organization.name}
          </Text>
        ) : (
          <Anchor
            component={Link}
            to={`/dashboard/organizations/${organization.id}`}
            activeOptions={{ exact: true }}
            size="sm"
            className="breakable"
          >
            {organization.name}
          </Anchor>
        )}
      </Breadcrumbs>
    </nav>
  );
}
