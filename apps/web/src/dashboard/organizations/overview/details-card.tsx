import { Code, Paper, Stack, Table, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { RelativeTime } from '../../../ui/relative-time';

export function DetailsCard({ organization }: { organization: Schema<'OrganizationResponse'> }) {
  const { id, slug, type, createdAt, updatedAt, metadata } = organization;
  const details: readonly [string, ReactNode][] = [
    [t('organization.id'), <CopyField key="id" value={id} label={t('organization.id')} />],
    [t('organization.slug'), <CopyField key="slug" value={slug} label={t('organization.slug')} />],
    [t('organization.type'), t(`organizations.types.${type}`)],
    [t('organization.createdAt'), <RelativeTime key="created" at={createdAt} />],
    [t('organization.updatedAt'), <RelativeTime key="updated" at={updatedAt} />],
  ];
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h3">
          {t('organization.details')}
        </Title>
        <Table variant="vertical" withRowBorders={false} layout="auto" verticalSpacing={6}>
          <Table.Tbody>
            {details.map(([label, value]) => (
              <Table.Tr key={label}>
                <Table.Th w={120} scope="row" fw={500} bg="transparent" pl={0}>
                  {label}
                </Table.Th>
                <Table.Td>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {Object.keys(metadata).length > 0 && (
          <>
            <Title order={3} size="h4" fz="sm">
              {t('organization.metadata')}
            </Title>
            <Code block className="breakable" style={{ whiteSpace: 'pre-wrap' }}>
              {JSON.stringify(metadata, null, 2)}
            </Code>
          </>
        )}
      </Stack>
    </Paper>
  );
}
