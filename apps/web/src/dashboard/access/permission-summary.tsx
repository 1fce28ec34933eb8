import { Badge, Code, Group, Text } from '@mantine/core';
import { t } from '../../texts';
import { ALL_PERMISSIONS } from './permission-patterns';

const SHOWN_MAX = 3;

export function PermissionSummary({ permissions }: { permissions: readonly string[] }) {
  if (permissions.length === 0) return <Text c="dimmed">{t('roles.noPermissions')}</Text>;
  if (permissions.includes(ALL_PERMISSIONS)) {
    return (
      <Badge variant="light" color="orange" tt="none" autoContrast>
        {t('roles.everything')}
      </Badge>
    );
  }
  const hiddenCount = permissions.length - SHOWN_MAX;
  return (
    <Group gap={4} wrap="nowrap">
      {permissions.slice(0, SHOWN_MAX).map((permission) => (
        <Code key={permission}>{permission}</Code>
      ))}
      {hiddenCount > 0 && (
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {t('roles.andMore', { count: hiddenCount })}
        </Text>
      )}
    </Group>
  );
}
