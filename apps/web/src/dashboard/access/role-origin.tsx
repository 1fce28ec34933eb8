import { Badge } from '@mantine/core';
import type { Schema } from '../../api/client';
import { texts } from '../../texts';
import { useIsHere, useOrganizationName } from './organization-name';

const words = texts.roles;

/** Where a role comes from. */
export function RoleOrigin({ role }: { role: Schema<'RoleResponse'> }) {
  const nameOf = useOrganizationName();
  const isHere = useIsHere();
  if (role.organizationId === null) return <OriginBadge color="gray">{words.builtIn}</OriginBadge>;
  if (isHere(role.organizationId)) return <OriginBadge>{words.ownRole}</OriginBadge>;
  return <OriginBadge color="grape">{words.inheritedFrom(nameOf(role.organizationId))}</OriginBadge>;
}

function OriginBadge({ color, children }: { color?: string; children: string }) {
  return (
    <Badge variant="light" color={color} tt="none" autoContrast miw="max-content">
      {children}
    </Badge>
  );
}
