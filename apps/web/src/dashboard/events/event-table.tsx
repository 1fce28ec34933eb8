import { Anchor, Code, Table, Text } from '@mantine/core';
import type { Schema } from '../../api/client';
import { eventTitle } from '../../api/event-types';
import { t } from '../../texts';
import { RelativeTime } from '../../ui/relative-time';
import { ScrollTable } from '../../ui/scroll-table';

type Event = Schema<'EventResponse'>;

/** A narrower table would break words in the columns. */
const TABLE_WIDTH = 1080;

interface Props {
  readonly events: readonly Event[];
  /** The number of events that arrived while the page was open. */
  readonly newCount: number;
  readonly onOpen: (id: string) => void;
}

/** A table of events, newest first. */
export function EventTable({ events, newCount, onOpen }: Props) {
  return (
    <ScrollTable label={t('events.title')} verticalSpacing="xs" highlightOnHover miw={TABLE_WIDTH}>
      <Table.Thead>
        <Table.Tr>
          {[
            t('events.position'),
            t('events.time'),
            t('events.event'),
            t('events.about'),
            t('events.actor'),
            t('events.organization'),
          ].map((heading) => (
            <Table.Th key={heading}>{heading}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {events.map((event, index) => (
          <Table.Tr key={event.id} bg={index < newCount ? 'var(--mantine-primary-color-light)' : undefined}>
            <Table.Td ff="monospace">{event.position}</Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <RelativeTime at={event.timestamp} />
            </Table.Td>
            <Table.Td>
              <Anchor component="button" ta="left" onClick={() => onOpen(event.id)}>
                {eventTitle(event.type)}
              </Anchor>
              <div>
                <Code>{event.type}</Code>
              </div>
            </Table.Td>
            <Table.Td className="breakable" maw={260}>
              {subjectOf(event)}
            </Table.Td>
            <Table.Td className="breakable" maw={240}>
              <Actor actor={event.actor} />
            </Table.Td>
            <Table.Td className="breakable" maw={220}>
              {event.organization.name || <Code>{event.organization.id}</Code>}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

export function Actor({ actor }: { actor: Event['actor'] }) {
  if (!actor || actor.type === 'system') return <Text size="sm">{t('events.system')}</Text>;
  if (actor.impersonator)
    return <Text size="sm">{t('events.impersonated', { user: actor.email ?? actor.id ?? '', id: actor.impersonator.id })}</Text>;
  if (actor.email) return <Text size="sm">{actor.email}</Text>;
  if (actor.type === 'api') return <Text size="sm">{actor.id ? `${t('events.apiKey')} ${actor.id}` : t('events.platform')}</Text>;
  if (actor.type === 'scim') return <Text size="sm">{`${t('events.scimConnection')} ${actor.id}`}</Text>;
  if (actor.type === 'setup_link') return <Text size="sm">{`${t('events.setupLink')} ${actor.id}`}</Text>;
  return <Code>{actor.id}</Code>;
}

function subjectOf({ data }: Event): string {
  const subject = (data['user'] ?? data['role'] ?? data) as Record<string, unknown>;
  const name = [subject['email'], subject['name'], subject['displayName'], subject['reason']].find(
    (value) => typeof value === 'string',
  );
  const role = (data['role'] as Record<string, unknown> | undefined)?.['name'];
  if (data['user'] && typeof role === 'string') return `${String(name ?? '')}: ${role}`;
  return String(name ?? subject['id'] ?? subject['userId'] ?? '');
}
