import { Badge } from '@mantine/core';
import type { Schema } from '../../api/client';
import { t } from '../../texts';
import { useIsCurrentOrganization, useOrganizationName } from './organization-name';

/** Shows whether a role is built in, defined here, or inherited. */
export function RoleOrigin({ role }: { role: Schema<'RoleResponse'> }) {
  const nameOf = useOrganizationName();
  const isCurrent = useIsCurrentOrganization();
  if (role.organizationId === null) return <OriginBadge color="gray">{t('roles.builtIn')}</OriginBadge>;
  if (isCurrent(role.organizationId)) return <OriginBadge>{t('roles.ownRole')}</OriginBadge>;
  return <OriginBadge color="grape">{t('roles.inheritedFrom', { organization: nameOf(role.organizationId) })}</OriginBadge>;
}

function OriginBadge({ color, children }: { color?: string; children: string }) {
  return (
    <Badge variant="light" color={color} tt="none" autoContrast miw="max-content">
      {children}
    </Badge>
  );
}
