import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import { useHasPermission } from '../../permissions';
import { CreateOrganization } from '../create-organization';

const INITIALLY_SHOWN = 8;

export function ChildrenCard({ organization }: { organization: Schema<'OrganizationResponse'> }) {
  const [showsAll, setShowsAll] = useState(false);
  const canCreate = useHasPermission('organizations:write') && organization.status === 'active';
  const { children } = organization;
  const shown = showsAll ? children : children.slice(0, INITIALLY_SHOWN);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3">
          {t('organization.children.heading')}
        </Title>
        {canCreate && <CreateOrganization parent={organization} variant="default" />}
      </Group>
      {children.length === 0 && <Text c="dimmed">{t('organization.children.none')}</Text>}
      <Stack gap={6}>
        {shown.map(({ id, name, memberCount }) => (
          <Group key={id} justify="space-between" wrap="nowrap" gap="sm">
            <Anchor component={Link} to={`/dashboard/organizations/${id}`} className="breakable">
              {name}
            </Anchor>
            <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {t('organizations.countMembers', { count: memberCount })}
            </Text>
          </Group>
        ))}
      </Stack>
      {shown.length < children.length && (
        <Button variant="subtle" mt="sm" onClick={() => setShowsAll(true)}>
          {t('organization.children.showAll', { count: children.length })}
        </Button>
      )}
    </Paper>
  );
}
