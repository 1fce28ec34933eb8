import { Anchor, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { t } from '../texts';
import { CopyField } from '../ui/copy-field';
import { PageHeader } from '../ui/page-header';
import { baseUrl } from '../api/base-url';
import { documentQuery, operationsOf } from './document';
import { InlineMarkdown, MarkdownText } from './markdown-text';

export function IntroductionPage() {
  const { data: document } = useSuspenseQuery(documentQuery);
  const operations = operationsOf(document);
  return (
    <Stack gap="lg" maw={860}>
      <PageHeader title={t('reference.title')} description={t('reference.description')} />
      <Group gap="xs">
        <Text>{t('reference.baseUrl')}</Text>
        <CopyField label={t('reference.baseUrl')} value={baseUrl} />
      </Group>
      <Group>
        <Anchor href="/docs/guide/guides/api">{t('reference.guideToApi')}</Anchor>
        <Anchor href="/docs/guide/guides/packages">{t('reference.packages')}</Anchor>
        <Anchor href="/docs/guide/events">{t('reference.webhookEvents')}</Anchor>
        <Anchor href="/openapi.json">openapi.json</Anchor>
        <Anchor href="/openapi-scim.json">openapi-scim.json</Anchor>
      </Group>
      <MarkdownText text={document.info.description} />
      <Title order={2}>{t('reference.areas')}</Title>
      <Table aria-label={t('reference.areas')}>
        <Table.Tbody>
          {document.tags
            .map((tag) => ({ ...tag, count: operations.filter(({ tags }) => tags[0] === tag.name).length }))
            .filter(({ count }) => count > 0)
            .map(({ name, description, count }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td>
                  <InlineMarkdown text={description} />
                </Table.Td>
                <Table.Td ta="right">{count}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
