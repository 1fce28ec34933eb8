import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { t } from '../../../texts';
import { useAsOf } from '../../as-of/use-as-of';
import { useHasPermission } from '../../permissions';
import { LockSwitch } from './lock-switch';
import { fieldOf, SETTING_GROUPS, type SettingField, type SettingGroup } from './setting-definitions';
import { SettingRow } from './setting-row';
import { SettingsPreview } from './settings-preview';
import styles from './settings.module.css';
import { useSettingsDraft } from './settings-draft';
import type { LoadedSettings } from './settings-query';
import { useUnsavedChanges } from '../../../ui/unsaved-changes';

/** Edits all settings of an organization together: edit, preview, save. */
export function SettingsRules({ loaded }: { loaded: LoadedSettings }) {
  const { organization } = loaded;
  const canWrite = useHasPermission('organizations:write');
  const isPast = useAsOf().asOf !== undefined;
  const canChange = canWrite && organization.status === 'active' && !isPast;
  const draft = useSettingsDraft(loaded);
  useUnsavedChanges(draft.changeCount > 0);
  const [isPreviewing, previewing] = useDisclosure(false);
  return (
    <Stack>
      {!canWrite && !isPast && <Alert color="gray">{t('settings.readOnly')}</Alert>}
      {canWrite && !canChange && !isPast && <Alert color="orange">{t('settings.suspended')}</Alert>}
      {SETTING_GROUPS.map((group) => (
        <GroupCard key={group.name} group={group} loaded={loaded} draft={draft} canChange={canChange} />
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
      <SettingsPreview loaded={loaded} draft={draft} isOpen={isPreviewing} onClose={previewing.close} />
    </Stack>
  );
}

interface GroupProps {
  readonly group: SettingGroup;
  readonly loaded: LoadedSettings;
  readonly draft: ReturnType<typeof useSettingsDraft>;
  readonly canChange: boolean;
}

function GroupCard({ group, loaded, draft, canChange }: GroupProps) {
  const lockSwitch = (field: SettingField, what: string) => (
    <LockSwitch
      settingName={what}
      isLocked={draft.draft.locks.includes(field)}
      canChange={canChange}
      onToggle={() => draft.toggleLock(field)}
    />
  );
  const isLockedByAncestor = group.settings.every(({ path }) => loaded.explained.get(path)!.lockedBy !== undefined);
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
        {group.lock && !isLockedByAncestor && lockSwitch(group.lock, t('settings.lock.lockAll'))}
      </Group>
      {group.settings.map((definition) => {
        const { path } = definition;
        const explainedSetting = loaded.explained.get(path)!;
        return (
          <SettingRow
            key={path}
            definition={definition}
            explained={explainedSetting}
            organizationId={loaded.organization.id}
            isRoot={loaded.organization.parentId === null}
            draftValue={draft.draft.values.get(path)}
            roleNames={loaded.roleNames}
            canChange={canChange}
            onChange={(value) => draft.setValue(path, value)}
            lock={!group.lock && !explainedSetting.lockedBy && lockSwitch(fieldOf(path), t(`settings.fields.${path}.label`))}
          />
        );
      })}
    </Paper>
  );
}
