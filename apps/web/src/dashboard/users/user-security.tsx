import { Alert, Badge, Group, Paper, SimpleGrid, Stack, Table, Text, Title, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { findText, t } from '../../texts';
import { RelativeTime } from '../../ui/relative-time';
import { UserIdentities } from './user-identities';
import type { User } from './user-queries';

const RESTRICTED = new Set(['sms', 'email']);

/** Shows MFA methods, identity providers and verified addresses of a user. Never shows secrets. */
export function UserSecurity({ user }: { user: User }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} maw={1100} spacing="lg">
      <SecurityCard title={t('users.security.factors')}>
        {user.mfaMethods.length === 0 ? (
          <Alert color="gray" title={t('users.security.none')}>
            {t('users.security.noneText')}
          </Alert>
        ) : (
          user.mfaMethods.map((method) => <Factor key={method} method={method} />)
        )}
      </SecurityCard>
      <SecurityCard title={t('users.security.details')}>
        <Table aria-label={t('users.security.details')} layout="fixed">
          <Table.Tbody>
            <DetailRow name={t('users.security.email')}>
              {user.email} ({user.emailVerified ? t('users.security.confirmed') : t('users.security.notConfirmed')})
            </DetailRow>
            <DetailRow name={t('users.security.phone')}>
              {user.phoneNumber
                ? `${user.phoneNumber} (${user.phoneVerified ? t('users.security.confirmed') : t('users.security.notConfirmed')})`
                : t('users.security.noPhone')}
            </DetailRow>
            <DetailRow name={t('users.security.lastLogin')}>
              <RelativeTime at={user.lastLoginAt} />
            </DetailRow>
            <DetailRow name={t('users.security.lastPasswordChange')}>
              <RelativeTime at={user.lastPasswordChangeAt} />
            </DetailRow>
          </Table.Tbody>
        </Table>
      </SecurityCard>
      <SecurityCard title={t('users.security.providers')}>
        {user.identityProviders.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('users.security.noProviders')}
          </Text>
        ) : (
          <UserIdentities user={user} />
        )}
      </SecurityCard>
    </SimpleGrid>
  );
}

function SecurityCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2}>{title}</Title>
        {children}
      </Stack>
    </Paper>
  );
}

function Factor({ method }: { method: string }) {
  return (
    <Group gap="sm">
      <Text size="sm" fw={500}>
        {findText(`users.security.methods.${method}`) ?? method}
      </Text>
      {RESTRICTED.has(method) && (
        <Tooltip label={t('users.security.restrictedHint')} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
          <Badge variant="default" tt="none" tabIndex={0}>
            {t('users.security.restricted')}
          </Badge>
        </Tooltip>
      )}
    </Group>
  );
}

function DetailRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} w="40%">
        {name}
      </Table.Th>
      <Table.Td className="breakable">{children}</Table.Td>
    </Table.Tr>
  );
}
