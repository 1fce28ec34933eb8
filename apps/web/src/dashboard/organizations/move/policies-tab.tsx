import { Box, Group, Stack, Text } from '@mantine/core';
import { AlertIcon, ShieldCheckIcon } from '@primer/octicons-react';
import { t } from '../../../texts';
import { EmptyState } from '../../../ui/empty-state';
import { type Move, nonCompliantOrganizations } from './move';
import { PartialTable } from './partial-table';

const RULES = ['withoutMfa', 'domainNotAllowed', 'passwordOlderThanPolicy', 'withoutIdentity'] as const;

/** Lists how many users of each moved organization would not comply with the new settings. */
export function PoliciesTab({ move }: { move: Move }) {
  const organizations = nonCompliantOrganizations(move);
  if (organizations.length === 0)
    return (
      <EmptyState icon={ShieldCheckIcon} title={t('organization.move.policies.emptyTitle')}>
        {t('organization.move.policies.empty')}
      </EmptyState>
    );
  const sums = RULES.map((rule) => ({
    rule,
    count: organizations.reduce((sum, { usersOutOfLine }) => sum + usersOutOfLine[rule], 0),
  }));
  return (
    <Stack>
      {sums
        .filter(({ count }) => count > 0)
        .map(({ rule, count }) => (
          <Group key={rule} gap={6} wrap="nowrap" align="flex-start">
            <Box flex="none" display="flex" mt={3}>
              <AlertIcon size={16} />
            </Box>
            <Text size="sm">{t(`settings.preview.${rule}`, { count })}.</Text>
          </Group>
        ))}
      <PartialTable<Move['settings'][number]>
        label={t('organization.move.tabs.policies')}
        columns={[t('common.organization'), ...RULES.map((rule) => t(`organization.move.policies.${rule}`))]}
        rows={organizations}
        rowId={({ id }) => id}
        cells={({ name, usersOutOfLine }) => [
          <Text key="name" size="sm" miw={140} className="breakable">
            {name}
          </Text>,
          ...RULES.map((rule) => t('common.total', { count: usersOutOfLine[rule] })),
        ]}
      />
    </Stack>
  );
}
