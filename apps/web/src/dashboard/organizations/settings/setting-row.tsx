import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { LockIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { t } from '../../../texts';
import { withAsOf } from '../../as-of/as-of-search';
import { useAsOf } from '../../as-of/use-as-of';
import type { SettingDefinition, SettingValue } from './setting-definitions';
import { SettingControl } from './setting-control';
import { settingText } from './setting-text';
import styles from './settings.module.css';
import type { ExplainedSetting } from './settings-query';

interface Props {
  readonly definition: SettingDefinition;
  readonly explained: ExplainedSetting;
  readonly organizationId: string;
  /** Whether the organization has no parent to inherit from. */
  readonly isRoot: boolean;
  /** The unsaved value: `null` inherits, undefined is no change. */
  readonly draftValue: SettingValue | null | undefined;
  readonly roleNames: ReadonlyMap<string, string>;
  readonly canChange: boolean;
  /** Called with undefined to discard the change. */
  readonly onChange: (value: SettingValue | null | undefined) => void;
  /** The switch that locks the setting for child organizations. */
  readonly lock?: ReactNode;
}

/** Shows and edits a setting: its value, its origin and its actions. */
export function SettingRow(props: Props) {
  const { definition, explained, organizationId, isRoot, draftValue, roleNames, canChange, onChange, lock } = props;
  const label = t(`settings.fields.${definition.path}.label`);
  const explanationId = useId();
  const isOwn = explained.source !== 'default' && explained.source.id === organizationId;
  const isLocked = explained.lockedBy !== undefined;
  const isEdited = canChange && !isLocked && (draftValue === undefined ? isOwn : draftValue !== null);
  const value = draftValue ?? explained.value;
  return (
    <div className={styles.row}>
      <Stack gap={2} className={styles.what}>
        <Text fw={600}>{label}</Text>
        <Text size="sm" c="dimmed" id={explanationId}>
          {t(`settings.fields.${definition.path}.explained`)}
        </Text>
      </Stack>
      <Stack gap={6} className={styles.value}>
        {isEdited ? (
          <>
            <SettingControl
              definition={definition}
              label={label}
              describedBy={explanationId}
              value={value}
              roleNames={roleNames}
              onChange={onChange}
            />
            <Origin explained={explained} isOwn={isOwn} isRoot={isRoot} draftValue={draftValue} />
          </>
        ) : (
          <Group gap="xs" align="center">
            <Text fw={500} className="breakable" td={draftValue === null ? 'line-through' : undefined}>
              {settingText(definition.path, explained.value, roleNames)}
            </Text>
            <Origin explained={explained} isOwn={isOwn} isRoot={isRoot} draftValue={draftValue} />
          </Group>
        )}
        {canChange && <SettingActions {...props} label={label} isOwn={isOwn} isEdited={isEdited} />}
        {lock}
      </Stack>
    </div>
  );
}

interface ActionsProps extends Pick<Props, 'explained' | 'draftValue' | 'onChange'> {
  readonly label: string;
  readonly isOwn: boolean;
  readonly isEdited: boolean;
}

function SettingActions({ explained, draftValue, onChange, label, isOwn, isEdited }: ActionsProps) {
  return (
    <Group gap="xs">
      {explained.lockedBy === undefined && !isEdited && draftValue === undefined && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('settings.overrideOf', { label })}
          onClick={() => onChange(explained.value)}
        >
          {t('settings.override')}
        </Button>
      )}
      {draftValue !== undefined && (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={t('settings.undoOf', { label })}
          onClick={() => onChange(undefined)}
        >
          {t('settings.undo')}
        </Button>
      )}
      {isOwn && draftValue !== null && (
        <Button size="compact-sm" variant="subtle" aria-label={t('settings.inheritOf', { label })} onClick={() => onChange(null)}>
          {t('settings.inherit')}
        </Button>
      )}
    </Group>
  );
}

function Origin({
  explained: { source, lockedBy },
  isOwn,
  isRoot,
  draftValue,
}: Pick<Props, 'explained' | 'isRoot' | 'draftValue'> & { isOwn: boolean }) {
  if (draftValue !== undefined) {
    return (
      <Badge color="yellow" variant="light" tt="none" autoContrast>
        {t(
          draftValue !== null
            ? 'settings.origin.changed'
            : isRoot
              ? 'settings.origin.willBeDefault'
              : 'settings.origin.willInherit',
        )}
      </Badge>
    );
  }
  if (lockedBy) {
    return (
      <Group gap={4} wrap="nowrap" align="flex-start">
        <LockIcon size={16} className={styles.sign} />
        <Text size="sm">
          {t('settings.lockedBy')} <SettingsLink organization={lockedBy} />. {t('settings.lockedByOperator')}
        </Text>
      </Group>
    );
  }
  if (source === 'default' || isOwn) {
    return (
      <Badge color={isOwn ? undefined : 'gray'} variant="light" tt="none" autoContrast>
        {isOwn ? t('settings.origin.own') : t('settings.origin.default')}
      </Badge>
    );
  }
  return (
    <Text size="sm">
      {t('settings.origin.inherited')} <SettingsLink organization={source} />
    </Text>
  );
}

function SettingsLink({ organization: { id, name } }: { organization: { id: string; name: string } }) {
  const { asOf } = useAsOf();
  return (
    <Anchor
      component={Link}
      to={withAsOf(`/dashboard/organizations/${id}/settings`, asOf)}
      underline="always"
      className="breakable"
    >
      {name}
    </Anchor>
  );
}
