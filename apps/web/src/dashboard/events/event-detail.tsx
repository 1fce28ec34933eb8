import { Alert, Code, Drawer, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { eventTitle } from '../../api/event-types';
import { t } from '../../texts';
import { CopyField } from '../../ui/copy-field';
import { ErrorNotice } from '../../ui/error-notice';
import { AbsoluteTime } from '../../ui/absolute-time';
import { EventActor } from './event-actor';
import { EventTarget } from './event-target';

interface Props {
  readonly org: string;
  /** Undefined while the drawer is closed. */
  readonly id: string | undefined;
  readonly onClose: () => void;
}

export function EventDetail({ org, id, onClose }: Props) {
  const query = useQuery({
    queryKey: ['event', org, id],
    queryFn: async () =>
      (await unwrap(api.GET('/v1/organizations/{org}/events/{id}', { params: { path: { org, id: id! } } }))).data,
    enabled: id !== undefined,
  });
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={t('events.detail')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {query.error && <ErrorNotice error={query.error} />}
      {query.isPending && <Skeleton h={240} />}
      {query.data && <Content event={query.data} />}
    </Drawer>
  );
}

function Content({ event }: { event: Schema<'EventResponse'> }) {
  const details: readonly [string, ReactNode][] = [
    [t('events.id'), <CopyField key="id" value={event.id} label={t('events.id')} />],
    [t('events.position'), event.position],
    [t('events.time'), <AbsoluteTime key="time" at={event.timestamp} hasZone />],
    [t('events.organization'), event.organization.name || event.organization.id],
    [t('events.actor'), <EventActor key="actor" event={event} />],
    [t('events.about'), <EventTarget key="target" event={event} />],
    [t('events.source'), event.metadata?.source],
    [t('events.ipAddress'), event.metadata?.ipAddress],
    [t('events.userAgent'), event.metadata?.userAgent],
    [t('events.forwardedBy'), event.metadata?.forwardedBy],
    [t('events.requestId'), event.metadata?.requestId],
    [t('events.chainHash'), event.chainHash && <Code className="breakable">{event.chainHash}</Code>],
  ];
  return (
    <Stack>
      <div>
        <Title order={2}>{eventTitle(event.type)}</Title>
        <Code>{event.type}</Code>
      </div>
      {event.redactedAt && <Alert color="gray">{t('events.redacted')}</Alert>}
      <Table variant="vertical" withTableBorder>
        <Table.Tbody>
          {details.map(([name, value]) =>
            value ? (
              <Table.Tr key={name}>
                <Table.Th w={130}>{name}</Table.Th>
                <Table.Td className="breakable">{value}</Table.Td>
              </Table.Tr>
            ) : null,
          )}
        </Table.Tbody>
      </Table>
      <Text fw={600}>{t('events.data')}</Text>
      <Code block tabIndex={0} aria-label={t('events.data')}>
        {JSON.stringify(event.data, undefined, 2)}
      </Code>
    </Stack>
  );
}
