import { Code, Paper, Stack, Table, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schema } from '../../../api/client';
import { texts } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { Moment } from '../../../ui/moment';

const words = texts.organization;

/** What identifies an organization, and what is written about it. */
export function FactsCard({ organization }: { organization: Schema<'OrganizationResponse'> }) {
  const { id, slug, type, createdAt, updatedAt, metadata } = organization;
  const facts: readonly [string, ReactNode][] = [
    [words.id, <CopyField key="id" value={id} label={words.id} />],
    [words.slug, <CopyField key="slug" value={slug} label={words.slug} />],
    [words.type, texts.organizations.types[type]],
    [words.createdAt, <Moment key="created" at={createdAt} />],
    [words.updatedAt, <Moment key="updated" at={updatedAt} />],
  ];
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h3">
          {words.facts}
        </Title>
        <Table variant="vertical" withRowBorders={false} layout="auto" verticalSpacing={6}>
          <Table.Tbody>
            {facts.map(([label, value]) => (
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
              {words.metadata}
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
