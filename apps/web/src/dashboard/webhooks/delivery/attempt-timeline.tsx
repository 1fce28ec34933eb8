import { Accordion, Alert, Badge, Code, Group, Paper, Stack, Table, Text, Timeline, Title } from '@mantine/core';
import { CheckIcon, XIcon } from '@primer/octicons-react';
import { t } from '../../../texts';
import { formatDateTime } from '../../../ui/format-date-time';
import { RelativeTime } from '../../../ui/relative-time';
import { CodeBlock } from '../../../ui/code-block';
import type { Attempt } from '../webhook-queries';
import { adviceFor } from './advice';
import { formatJson } from './format-json';

const STORED_BODY_LENGTH = 16_384;

export function AttemptTimeline({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('deliveries.timeline')}>
      <Title order={2} mb="md">
        {t('deliveries.timeline')}
      </Title>
      {attempts.length === 0 && <Text c="dimmed">{t('deliveries.noAttempts')}</Text>}
      <Timeline bulletSize={26} lineWidth={2} active={attempts.length}>
        {attempts.toReversed().map((attempt, index) => (
          <Timeline.Item
            key={attempt.id}
            color={attempt.errorKind === null ? 'green' : 'red'}
            bullet={attempt.errorKind === null ? <CheckIcon size={14} /> : <XIcon size={14} />}
            title={<AttemptTitle attempt={attempt} />}
          >
            <AttemptDetails attempt={attempt} isOpen={index === 0} />
          </Timeline.Item>
        ))}
      </Timeline>
    </Paper>
  );
}

function AttemptTitle({ attempt: { number, responseCode, errorKind, responseTime, startedAt } }: { attempt: Attempt }) {
  return (
    <Group gap="xs">
      <Title order={3} size="sm">
        {t('deliveries.attempt', { number })}
      </Title>
      {responseCode !== null && (
        <Badge color={errorKind === null ? 'green' : 'red'} variant="light" autoContrast tt="none">
          {t('deliveries.answered', { code: responseCode })}
        </Badge>
      )}
      <Text size="sm" c="dimmed">
        {t('deliveries.took', { ms: responseTime })} · <RelativeTime at={startedAt} /> ({formatDateTime(startedAt)})
      </Text>
    </Group>
  );
}

function AttemptDetails({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }) {
  const { errorKind, errorMessage, request, responseHeaders, responseBody, responseCode } = attempt;
  const { title, advice } = adviceFor(attempt);
  return (
    <Stack gap="xs" mt="xs">
      {errorKind !== null && (
        <Alert color="red" title={title} p="sm">
          <Text size="sm">{advice}</Text>
          {responseCode === null && (
            <Text size="sm" c="dimmed" mt={4} className="breakable">
              <Code>{errorKind}</Code> {errorMessage}
            </Text>
          )}
        </Alert>
      )}
      <Accordion multiple variant="contained" defaultValue={isOpen ? ['response'] : []} order={4}>
        <Accordion.Item value="request">
          <Accordion.Control>{t('deliveries.request')}</Accordion.Control>
          <Accordion.Panel>
            {!request ? (
              <Text size="sm">{t('deliveries.noRequest')}</Text>
            ) : (
              <Stack gap="xs">
                <Text size="sm" className="breakable">
                  POST {request.url}
                </Text>
                <HeadersTable headers={request.headers} label={`${t('deliveries.request')}: ${t('deliveries.headers')}`} />
                {request.body !== null && <RequestBody request={request} body={request.body} number={attempt.number} />}
              </Stack>
            )}
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="response">
          <Accordion.Control>{t('deliveries.response')}</Accordion.Control>
          <Accordion.Panel>
            {responseCode === null ? (
              <Text size="sm">{t('deliveries.noResponse')}</Text>
            ) : (
              <Stack gap="xs">
                {responseHeaders && (
                  <HeadersTable headers={responseHeaders} label={`${t('deliveries.response')}: ${t('deliveries.headers')}`} />
                )}
                <ResponseBody body={responseBody ?? ''} number={attempt.number} />
              </Stack>
            )}
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

interface RequestBodyProps {
  readonly request: NonNullable<Attempt['request']>;
  readonly body: string;
  readonly number: number;
}

function RequestBody({ request: { format }, body, number }: RequestBodyProps) {
  return (
    <div>
      <CodeBlock
        label={`${t('deliveries.request')}: ${t('deliveries.body')}: ${t('deliveries.attempt', { number })}`}
        value={formatJson(body)}
        copied={body}
        maxHeight={260}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {t('deliveries.bodyFormat', { format: t(`webhookForm.formats.${format}`) })}{' '}
        {format === 'set' && t('deliveries.bodyClaims')}
      </Text>
    </div>
  );
}

function ResponseBody({ body, number }: { body: string; number: number }) {
  if (body === '')
    return (
      <Text size="sm" c="dimmed">
        {t('deliveries.emptyBody')}
      </Text>
    );
  return (
    <div>
      <CodeBlock label={`${t('deliveries.body')}: ${t('deliveries.attempt', { number })}`} value={body} maxHeight={260} />
      <Text size="xs" c="dimmed" mt={4}>
        {t('deliveries.bodyHint')} {new TextEncoder().encode(body).length >= STORED_BODY_LENGTH && t('deliveries.bodyCut')}
      </Text>
    </div>
  );
}

function HeadersTable({ headers, label }: { headers: Readonly<Record<string, string>>; label: string }) {
  return (
    <Table variant="vertical" layout="fixed" fz="xs" aria-label={label}>
      <Table.Tbody>
        {Object.entries(headers).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w="38%" scope="row" className="breakable">
              {name}
            </Table.Th>
            <Table.Td className="breakable" ff="monospace">
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
