import { Badge, Group, Tooltip } from '@mantine/core';
import { t } from '../../../texts';

const SHOWN_MAX = 2;

/** Shows the subscribed events; a tooltip shows the rest of a long list. */
export function SubscribedEvents({ events }: { events: readonly string[] }) {
  const rest = events.slice(SHOWN_MAX);
  return (
    <Group gap={4} miw={170} maw={300}>
      {events.slice(0, SHOWN_MAX).map((event) => (
        <Badge key={event} variant="default" tt="none" fw={500} style={{ flexShrink: 0 }}>
          {event === '*' ? t('webhooks.allEvents') : event}
        </Badge>
      ))}
      {rest.length > 0 && (
        <Tooltip label={rest.join(', ')} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
          <Badge
            variant="default"
            tt="none"
            fw={500}
            style={{ flexShrink: 0 }}
            tabIndex={0}
            aria-label={rest.join(', ')}
            role="note"
          >
            {t('webhooks.moreEvents', { more: rest.length })}
          </Badge>
        </Tooltip>
      )}
    </Group>
  );
}
