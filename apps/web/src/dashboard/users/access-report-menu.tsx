import { Button, Menu } from '@mantine/core';
import { ChevronDownIcon } from '@primer/octicons-react';
import { downloadRecentlyAuthenticated } from '../../account/reauthentication/download-recently-authenticated';
import { api, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { notifyError } from '../../ui/notify';
import { openAsOfDialog } from '../as-of/as-of-dialog';
import { withAsOf } from '../as-of/as-of-search';
import { formatMoment, timeZone } from '../as-of/format-moment';
import { useHasPermissions } from '../permissions';

/** The permissions that the report requires. */
const REPORT_PERMISSIONS = ['users:read', 'members:read', 'roles:read', 'api_keys:read'];

/** Downloads the access report of the organization. */
export function AccessReportMenu({ org }: { org: string }) {
  const canRead = useHasPermissions(REPORT_PERMISSIONS);
  if (!canRead) return null;
  const start = (format: 'ndjson' | 'csv', asOf?: string) =>
    void downloadRecentlyAuthenticated(
      withAsOf(`/v1/organizations/${encodeURIComponent(org)}/access-report?format=${format}`, asOf),
    );
  const startAsOf = async (asOf: string) => {
    try {
      // A failed download shows no error, so the moment is checked before.
      await unwrap(api.GET('/v1/organizations/{org}', { params: { path: { org }, query: { asOf } } }));
      start('csv', asOf);
    } catch (error) {
      const earliest = error instanceof ApiProblem ? error.earliest : undefined;
      if (earliest === undefined) notifyError(t('errors.heading'), error);
      else notifyError(t('asOf.unavailable'), t('asOf.unavailableText', { moment: formatMoment(earliest), zone: timeZone() }));
    }
  };
  const selectMoment = () =>
    openAsOfDialog({
      initial: new Date().toISOString(),
      texts: {
        title: t('members.accessReportAsOfTitle'),
        text: t('members.accessReportAsOfText'),
        submit: t('members.accessReportAsOfSubmit'),
      },
      onSelect: (asOf) => void startAsOf(asOf),
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon size={16} />}>
          {t('members.accessReport')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('members.accessReportHint')}</Menu.Label>
        <Menu.Item onClick={() => start('csv')}>{t('members.accessReportCsv')}</Menu.Item>
        <Menu.Item onClick={() => start('ndjson')}>{t('members.accessReportNdjson')}</Menu.Item>
        <Menu.Item onClick={selectMoment}>{t('members.accessReportAsOf')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
