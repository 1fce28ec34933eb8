import { Badge, Text } from '@mantine/core';
import { LockIcon } from '@primer/octicons-react';
import { t } from '../../../texts';
import { EmptyState } from '../../../ui/empty-state';
import { settingFieldName } from '../settings/setting-text';
import type { Move } from './move';
import { PartialTable } from './partial-table';

type Lock = Move['locks'][number];

/** Lists the settings whose lock by an ancestor begins, ends or passes to another ancestor. */
export function LocksTab({ move: { locks } }: { move: Move }) {
  if (locks.length === 0)
    return (
      <EmptyState icon={LockIcon} title={t('organization.move.locks.emptyTitle')}>
        {t('organization.move.locks.empty')}
      </EmptyState>
    );
  return (
    <PartialTable<Lock>
      label={t('organization.move.tabs.locks')}
      columns={[
        t('organization.move.settings.setting'),
        t('organization.move.locks.change'),
        t('organization.move.locks.from'),
        t('organization.move.locks.to'),
      ]}
      rows={locks}
      rowId={({ setting }) => setting}
      cells={({ setting, from, to }) => [
        <Text key="setting" size="sm" miw={120}>
          {settingFieldName(setting)}
        </Text>,
        <Badge key="change" variant="light" color={to ? 'yellow' : 'gray'} tt="none" autoContrast miw="max-content">
          {t(`organization.move.locks.kinds.${kindOf({ from, to })}`)}
        </Badge>,
        <LockOwner key="from" owner={from} />,
        <LockOwner key="to" owner={to} />,
      ]}
    />
  );
}

function kindOf({ from, to }: Pick<Lock, 'from' | 'to'>): 'begins' | 'ends' | 'changes' {
  if (!from) return 'begins';
  return to ? 'changes' : 'ends';
}

const LockOwner = ({ owner }: { owner: Lock['from'] }) => (
  <Text size="sm" className="breakable" c={owner ? undefined : 'dimmed'}>
    {owner ? owner.name : t('organization.move.locks.none')}
  </Text>
);
