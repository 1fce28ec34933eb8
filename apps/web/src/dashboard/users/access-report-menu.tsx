import { Button, Menu } from '@mantine/core';
import { ChevronDownIcon } from '@primer/octicons-react';
import { downloadRecentlyAuthenticated } from '../../account/reauthentication/download-recently-authenticated';
import { api, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { openAsOfDialog } from '../as-of/as-of-dialog';
import { withAsOf } from '../as-of/as-of-search';
import { timeZone } from '../../ui/absolute-time';
import { formatMoment } from '../as-of/format-moment';
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
  const selectMoment = () =>
    openAsOfDialog({
      initial: new Date().toISOString(),
      texts: {
        title: t('members.accessReportAsOfTitle'),
        text: t('members.accessReportAsOfText'),
        submit: t('members.accessReportAsOfSubmit'),
      },
      validate: (asOf) => reasonAgainst(org, asOf),
      onSelect: (asOf) => start('csv', asOf),
    });
  return (
    <Menu position="bottom-end" width={340}>
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

/** Returns the reason if there is no report of a moment. A failed download would show no error. */
async function reasonAgainst(org: string, asOf: string): Promise<string | undefined> {
  try {
    await unwrap(api.GET('/v1/organizations/{org}', { params: { path: { org }, query: { asOf } } }));
    return undefined;
  } catch (error) {
    const earliest = error instanceof ApiProblem ? error.earliest : undefined;
    if (earliest !== undefined) return t('asOf.unavailableText', { moment: formatMoment(earliest), zone: timeZone() });
    return error instanceof Error ? error.message : String(error);
  }
}
