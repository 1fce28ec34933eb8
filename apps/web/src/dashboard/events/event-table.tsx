import { Anchor, Code, Table } from '@mantine/core';
import type { Schema } from '../../api/client';
import { eventTitle } from '../../api/event-types';
import { t } from '../../texts';
import { AbsoluteTime, timeZone } from '../../ui/absolute-time';
import { ScrollTable } from '../../ui/scroll-table';
import { EventActor } from './event-actor';
import { EventTarget } from './event-target';

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
            t('events.timeIn', { zone: timeZone() }),
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
              <AbsoluteTime at={event.timestamp} />
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
              <EventTarget event={event} />
            </Table.Td>
            <Table.Td className="breakable" maw={240}>
              <EventActor event={event} />
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
