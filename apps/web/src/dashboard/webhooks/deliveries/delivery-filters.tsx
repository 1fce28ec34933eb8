import { Button, Select, Switch, Tooltip } from '@mantine/core';
import { EVENT_CATALOG } from '../../../api/event-catalog.gen';
import { t } from '../../../texts';
import { DateTimeInput } from '../../../ui/date-time-input';
import { FilterBar } from '../../../ui/filter-bar';
import { DELIVERY_STATUSES, type DeliveriesSearch } from '../search';

interface Props {
  readonly search: DeliveriesSearch;
  readonly onChange: (changes: Partial<Record<keyof DeliveriesSearch, unknown>>) => void;
}

export function DeliveryFilters({ search, onChange }: Props) {
  const { status, eventType, since, until, page = 1, paused } = search;
  const count = [status, eventType, since, until].filter((value) => value !== undefined).length;
  return (
    <FilterBar count={count}>
      <Select
        label={t('deliveries.filterStatus')}
        placeholder={t('deliveries.anyStatus')}
        data={DELIVERY_STATUSES.map((value) => ({ value, label: t(`deliveries.statuses.${value}`) }))}
        value={status ?? null}
        onChange={(value) => onChange({ status: value ?? undefined })}
        clearable
        w={170}
      />
      <Select
        label={t('deliveries.filterEvent')}
        placeholder={t('deliveries.anyEvent')}
        data={EVENT_CATALOG.map(({ type }) => type)}
        value={(eventType ?? null) as (typeof EVENT_CATALOG)[number]['type'] | null}
        onChange={(value) => onChange({ eventType: value ?? undefined })}
        searchable
        clearable
        w={240}
      />
      <DateTimeInput label={t('deliveries.since')} value={since} onChange={(value) => onChange({ since: value })} w={210} />
      <DateTimeInput label={t('deliveries.until')} value={until} onChange={(value) => onChange({ until: value })} w={210} />
      <Tooltip label={t('deliveries.livePaused')} disabled={page === 1}>
        <Switch
          label={t('deliveries.live')}
          checked={!paused && page === 1}
          disabled={page > 1}
          onChange={(event) => onChange({ paused: event.currentTarget.checked ? undefined : true })}
          mb={8}
        />
      </Tooltip>
      {count > 0 && (
        <Button
          variant="subtle"
          onClick={() => onChange({ status: undefined, eventType: undefined, since: undefined, until: undefined })}
        >
          {t('common.clearFilters')}
        </Button>
      )}
    </FilterBar>
  );
}
