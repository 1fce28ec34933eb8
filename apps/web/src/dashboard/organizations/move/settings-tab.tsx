import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { SlidersIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../texts';
import { EmptyState } from '../../../ui/empty-state';
import type { SettingPath, SettingValue } from '../settings/setting-definitions';
import { settingText } from '../settings/setting-text';
import { roleNamesOf } from '../settings/settings-query';
import type { Move } from './move';
import { PartialTable } from './partial-table';
import { type GroupedChange, groupChanges, type SourcedValue } from './grouped-changes';

const SHOWN_NAMES = 3;

/** Lists the settings whose effective values change. Organizations with the same change share a row. */
export function SettingsTab({ move }: { move: Move }) {
  const { id, parent } = move;
  const roleNames = useQuery({
    queryKey: ['organization', id, 'move-role-names', parent.to.id],
    queryFn: async () => new Map([...(await roleNamesOf(id)), ...(await roleNamesOf(parent.to.id))]),
  });
  if (move.settings.length === 0)
    return (
      <EmptyState icon={SlidersIcon} title={t('organization.move.settings.emptyTitle')}>
        {t('organization.move.settings.empty')}
      </EmptyState>
    );
  if (!roleNames.data) return <Skeleton h={120} />;
  const valueOf = (path: SettingPath, { value, source }: SourcedValue) => (
    <Stack gap={0} miw={120}>
      <Text size="sm" fw={500} className="breakable">
        {settingText(path, value as SettingValue, roleNames.data)}
      </Text>
      <Text size="xs" c="dimmed" className="breakable">
        {source === 'default' ? t('settings.origin.default') : t('organization.move.settings.source', { name: source.name })}
      </Text>
    </Stack>
  );
  return (
    <PartialTable<GroupedChange>
      label={t('organization.move.tabs.settings')}
      columns={[
        t('organization.move.settings.setting'),
        t('organization.move.before'),
        t('organization.move.after'),
        t('organizations.title'),
      ]}
      rows={groupChanges(move.settings)}
      rowId={({ key }) => key}
      cells={({ key, path, group, from, to, names }) => [
        <Stack key={key} gap={0} miw={120}>
          <Text size="sm">{t(`settings.fields.${path}.label`)}</Text>
          <Text size="xs" c="dimmed">
            {t(`settings.groups.${group}.title`)}
          </Text>
        </Stack>,
        valueOf(path, from),
        valueOf(path, to),
        <Names key={key} names={names} />,
      ]}
    />
  );
}

function Names({ names }: { names: readonly string[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? names : names.slice(0, SHOWN_NAMES);
  return (
    <Stack gap={4} align="flex-start" miw={160}>
      <Text size="sm" className="breakable">
        {shown.join(', ')}
      </Text>
      {shown.length < names.length && (
        <Button size="compact-xs" variant="subtle" onClick={() => setShowsAll(true)}>
          {t('settings.preview.showAll', { count: names.length })}
        </Button>
      )}
    </Stack>
  );
}
