import { Alert, Code, Drawer, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api, type Schema } from '../../api/client';
import { descriptionOf } from '../../api/event-types';
import { texts } from '../../texts';
import { CopyField } from '../../ui/copy-field';
import { ErrorNotice } from '../../ui/error-notice';
import { exactTime } from '../../ui/moment';
import { Actor } from './event-table';

const words = texts.events;

interface Props {
  readonly org: string;
  /** Absent while nothing is open. */
  readonly id: string | undefined;
  readonly onClose: () => void;
}

/** One event, with all that it holds. */
export function EventDetail({ org, id, onClose }: Props) {
  const query = useQuery({
    queryKey: ['event', org, id],
    queryFn: async () =>
      (await answerOf(api.GET('/v1/organizations/{org}/events/{id}', { params: { path: { org, id: id! } } }))).data,
    enabled: id !== undefined,
  });
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={words.detail}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      {query.error && <ErrorNotice error={query.error} />}
      {query.isPending && <Skeleton h={240} />}
      {query.data && <Content event={query.data} />}
    </Drawer>
  );
}

function Content({ event }: { event: Schema<'EventResponse'> }) {
  const facts: readonly [string, ReactNode][] = [
    [words.id, <CopyField key="id" value={event.id} label={words.id} />],
    [words.position, event.position],
    [words.time, exactTime(event.timestamp)],
    [words.organization, event.organization.name || event.organization.id],
    [words.actor, <Actor key="actor" actor={event.actor} />],
    [words.source, event.metadata?.source],
    [words.ipAddress, event.metadata?.ipAddress],
    [words.userAgent, event.metadata?.userAgent],
    [words.requestId, event.metadata?.requestId],
    [words.chainHash, event.chainHash && <Code className="breakable">{event.chainHash}</Code>],
  ];
  return (
    <Stack>
      <div>
        <Title order={2}>{descriptionOf(event.type)}</Title>
        <Code>{event.type}</Code>
      </div>
      {event.redactedAt && <Alert color="gray">{words.redacted}</Alert>}
      <Table variant="vertical" withTableBorder>
        <Table.Tbody>
          {facts.map(([name, value]) =>
            value ? (
              <Table.Tr key={name}>
                <Table.Th w={130}>{name}</Table.Th>
                <Table.Td className="breakable">{value}</Table.Td>
              </Table.Tr>
            ) : null,
          )}
        </Table.Tbody>
      </Table>
      <Text fw={600}>{words.data}</Text>
      <Code block tabIndex={0} aria-label={words.data}>
        {JSON.stringify(event.data, undefined, 2)}
      </Code>
    </Stack>
  );
}
