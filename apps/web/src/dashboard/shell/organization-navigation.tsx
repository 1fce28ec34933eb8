import { Badge, Collapse, Divider, NavLink, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { ChevronDownIcon, ChevronRightIcon, FlowchartIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useId } from 'react';
import { t } from '../../texts';
import { covers, permissionsQuery } from '../permissions';
import classes from './navigation.module.css';
import { NAVIGATION_GROUPS, type NavigationGroup, type NavigationItem } from './navigation-items';
import { type AttentionCounts, useAttentionCounts } from './use-attention-counts';

interface Props {
  readonly org: string;
  readonly onNavigate: () => void;
}

/** The navigation of the organization, limited to the permissions of the caller. */
export function OrganizationNavigation({ org, onNavigate }: Props) {
  const { data: permissions = [] } = useQuery(permissionsQuery(org));
  const counts = useAttentionCounts(org);
  const isAllowed = ({ permission, otherPermission = permission }: NavigationItem) =>
    covers(permissions, permission) || covers(permissions, otherPermission);
  const groups = NAVIGATION_GROUPS.map((group) => ({ ...group, items: group.items.filter(isAllowed) }));
  return (
    <>
      <NavLink
        component={Link}
        to="/dashboard"
        activeOptions={{ exact: true }}
        label={t('shell.allOrganizations')}
        leftSection={<FlowchartIcon size={18} />}
        onClick={onNavigate}
      />
      <Divider my="xs" />
      {groups
        .filter(({ items }) => items.length > 0)
        .map((group) => (
          <MenuGroup key={group.items[0]?.path} org={org} group={group} counts={counts} onNavigate={onNavigate} />
        ))}
    </>
  );
}

interface GroupProps extends Props {
  readonly group: NavigationGroup;
  readonly counts: AttentionCounts;
}

function MenuGroup({ org, group: { heading, items }, counts, onNavigate }: GroupProps) {
  const listId = useId();
  const isActive = useIsActive(org);
  const [collapsed, setCollapsed] = useLocalStorage<readonly string[]>({ key: 'collapsed-menu-groups', defaultValue: [] });
  const links = items.map((item) => (
    <MenuLink
      key={item.path}
      org={org}
      item={item}
      isActive={isActive(item.path)}
      count={counts[item.path] ?? 0}
      onNavigate={onNavigate}
    />
  ));
  if (heading === undefined) return links;
  // The current page stays visible.
  const isOpen = !collapsed.includes(heading) || items.some(({ path }) => isActive(path));
  const hidden = isOpen ? 0 : items.reduce((sum, { path }) => sum + (counts[path] ?? 0), 0);
  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon;
  const toggle = () => setCollapsed((before) => (isOpen ? [...before, heading] : before.filter((each) => each !== heading)));
  return (
    <>
      <UnstyledButton className={classes['heading']} aria-expanded={isOpen} aria-controls={listId} onClick={toggle}>
        <span>{t(heading)}</span>
        {hidden > 0 && <Count count={hidden} />}
        <Chevron size={14} />
      </UnstyledButton>
      <Collapse expanded={isOpen} id={listId} role="group" aria-label={t(heading)}>
        {links}
      </Collapse>
    </>
  );
}

interface LinkProps extends Props {
  readonly item: NavigationItem;
  readonly isActive: boolean;
  readonly count: number;
}

function MenuLink({ org, item: { label, path, icon: Icon }, isActive, count, onNavigate }: LinkProps) {
  return (
    <NavLink
      component={Link}
      to={`/dashboard/organizations/${org}${path}`}
      activeOptions={{ exact: true }}
      label={t(label)}
      leftSection={<Icon size={18} />}
      rightSection={count > 0 && <Count count={count} />}
      active={isActive}
      aria-current={isActive ? 'page' : undefined}
      onClick={onNavigate}
      variant="light"
    />
  );
}

const Count = ({ count }: { count: number }) => (
  <Badge size="sm" circle={count < 10} color="red" role="img" aria-label={t('shell.needsAttention', { count })}>
    {count}
  </Badge>
);

/** Returns whether the path of an item leads to the current page or to a page above it. */
function useIsActive(org: string): (path: string) => boolean {
  const { pathname } = useLocation();
  const base = `/dashboard/organizations/${org}`;
  return (path) => (path === '' ? /^\/?$/.test(pathname.slice(base.length)) : `${pathname}/`.startsWith(`${base}${path}/`));
}
