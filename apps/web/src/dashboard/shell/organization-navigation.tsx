import { Divider, NavLink, ScrollArea } from '@mantine/core';
import { FlowchartIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { t } from '../../texts';
import { covers, permissionsQuery } from '../permissions';
import { NAVIGATION_ITEMS } from './navigation-items';

/** The navigation of the organization, limited to the permissions of the caller. */
export function OrganizationNavigation({ org, onNavigate }: { org: string; onNavigate: () => void }) {
  const { data: permissions = [] } = useQuery(permissionsQuery(org));
  const { pathname } = useLocation();
  const base = `/dashboard/organizations/${org}`;
  const isActive = (path: string) =>
    path === '' ? /^\/?$/.test(pathname.slice(base.length)) : `${pathname}/`.startsWith(`${base}${path}/`);
  return (
    <ScrollArea>
      <NavLink
        component={Link}
        to="/dashboard"
        activeOptions={{ exact: true }}
        label={t('shell.allOrganizations')}
        leftSection={<FlowchartIcon size={18} />}
        onClick={onNavigate}
      />
      <Divider my="xs" />
      {NAVIGATION_ITEMS.filter(
        ({ permission, otherPermission = permission }) => covers(permissions, permission) || covers(permissions, otherPermission),
      ).map(({ label, path, icon: Icon }) => (
        <NavLink
          key={path}
          component={Link}
          to={base + path}
          activeOptions={{ exact: true }}
          label={t(label)}
          leftSection={<Icon size={18} />}
          active={isActive(path)}
          aria-current={isActive(path) ? 'page' : undefined}
          onClick={onNavigate}
          variant="light"
        />
      ))}
    </ScrollArea>
  );
}
