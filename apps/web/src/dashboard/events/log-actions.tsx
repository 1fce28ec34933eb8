import { Button, CopyButton, Menu, Switch } from '@mantine/core';
import { CheckIcon, ChevronDownIcon, LinkIcon, ShieldCheckIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { downloadRecentlyAuthenticated } from '../../account/reauthentication/download-recently-authenticated';
import { t } from '../../texts';
import { type EventFilters, parametersOf } from './event-filters';

interface Props {
  readonly org: string;
  readonly filters: EventFilters;
  readonly onLive: (isLive: boolean) => void;
}

/** The switch for new events, the link to the filtered events, their export and the verification of the log. */
export function LogActions({ org, filters, onLive }: Props) {
  return (
    <>
      <Switch
        label={t('events.live')}
        description={t('events.liveHint')}
        checked={Boolean(filters.live)}
        onChange={(event) => onLive(event.currentTarget.checked)}
      />
      <CopyButton value={window.location.href}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            onClick={copy}
            title={t('events.copyLinkHint')}
            leftSection={copied ? <CheckIcon size={16} /> : <LinkIcon size={16} />}
          >
            {copied ? t('common.copied') : t('events.copyLink')}
          </Button>
        )}
      </CopyButton>
      <ExportMenu org={org} filters={filters} />
      <Button
        component={Link}
        to={`/dashboard/organizations/${org}/events/verification`}
        variant="default"
        leftSection={<ShieldCheckIcon size={16} />}
      >
        {t('events.verify')}
      </Button>
    </>
  );
}

function ExportMenu({ org, filters }: { org: string; filters: EventFilters }) {
  const start = (format: 'csv' | 'ndjson') => {
    const parameters = parametersOf(filters);
    parameters.set('format', format);
    void downloadRecentlyAuthenticated(`/v1/organizations/${encodeURIComponent(org)}/events/export?${parameters}`);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon size={16} />}>
          {t('events.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('events.exportFiltered')}</Menu.Label>
        <Menu.Item onClick={() => start('csv')}>{t('events.exportCsv')}</Menu.Item>
        <Menu.Item onClick={() => start('ndjson')}>{t('events.exportNdjson')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
