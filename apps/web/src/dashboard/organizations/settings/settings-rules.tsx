import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { t } from '../../../texts';
import { useMay } from '../../permissions';
import { LockSwitch } from './lock-switch';
import { fieldOf, SETTING_GROUPS, type SettingField, type SettingGroup } from './setting-catalogue';
import { SettingRow } from './setting-row';
import { SettingsPreview } from './settings-preview';
import styles from './settings.module.css';
import { useSettingsDraft } from './settings-draft';
import type { SettingsRead } from './settings-source';

/** Edits all settings of an organization together: edit, preview, save. */
export function SettingsRules({ read }: { read: SettingsRead }) {
  const { organization } = read;
  const mayWrite = useMay('organizations:write');
  const mayChange = mayWrite && organization.status === 'active';
  const draft = useSettingsDraft(read);
  const [isPreviewing, previewing] = useDisclosure(false);
  return (
    <Stack>
      {!mayWrite && <Alert color="gray">{t('settings.readOnly')}</Alert>}
      {mayWrite && !mayChange && <Alert color="orange">{t('settings.suspended')}</Alert>}
      {SETTING_GROUPS.map((group) => (
        <GroupCard key={group.name} group={group} read={read} draft={draft} mayChange={mayChange} />
      ))}
      {draft.changeCount > 0 && (
        <div className={styles.bar} role="region" aria-label={t('settings.bar.changes', { count: draft.changeCount })}>
          <Group justify="space-between">
            <Text fw={600} role="status">
              {t('settings.bar.changes', { count: draft.changeCount })}
            </Text>
            <Group gap="xs">
              <Button variant="default" onClick={draft.discard}>
                {t('settings.bar.discard')}
              </Button>
              <Button onClick={previewing.open}>{t('settings.bar.preview')}</Button>
            </Group>
          </Group>
        </div>
      )}
      <SettingsPreview read={read} draft={draft} isOpen={isPreviewing} onClose={previewing.close} />
    </Stack>
  );
}

interface GroupProps {
  readonly group: SettingGroup;
  readonly read: SettingsRead;
  readonly draft: ReturnType<typeof useSettingsDraft>;
  readonly mayChange: boolean;
}

function GroupCard({ group, read, draft, mayChange }: GroupProps) {
  const lockSwitch = (field: SettingField, what: string) => (
    <LockSwitch
      what={what}
      isLocked={draft.draft.locks.includes(field)}
      mayChange={mayChange}
      onToggle={() => draft.toggleLock(field)}
    />
  );
  const isLockedAbove = group.settings.every(({ path }) => read.explained.get(path)!.lockedBy !== undefined);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h3">
            {t(`settings.groups.${group.name}.title`)}
          </Title>
          <Text size="sm" c="dimmed">
            {t(`settings.groups.${group.name}.explained`)}
          </Text>
        </div>
        {group.lock && !isLockedAbove && lockSwitch(group.lock, t('settings.lock.lockAll'))}
      </Group>
      {group.settings.map((definition) => {
        const { path } = definition;
        const explainedSetting = read.explained.get(path)!;
        return (
          <SettingRow
            key={path}
            definition={definition}
            explained={explainedSetting}
            organizationId={read.organization.id}
            drafted={draft.draft.values.get(path)}
            roleNames={read.roleNames}
            mayChange={mayChange}
            onChange={(value) => draft.put(path, value)}
            lock={!group.lock && !explainedSetting.lockedBy && lockSwitch(fieldOf(path), t(`settings.fields.${path}.label`))}
          />
        );
      })}
    </Paper>
  );
}
