import { Alert, Button, Stack, Text } from '@mantine/core';
import { HistoryIcon } from '@primer/octicons-react';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { timeZone } from '../../ui/absolute-time';
import { formatMoment } from './format-moment';
import { useAsOf } from './use-as-of';

const MS_PER_MINUTE = 60_000;

/** Shows an error of a page that can show a past moment. Before the history begins, offers the earliest moment. */
export function AsOfError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { asOf } = useAsOf();
  const problem = error instanceof ApiProblem ? error : undefined;
  if (asOf === undefined || problem === undefined) return <ErrorNotice error={error} onRetry={onRetry} />;
  if (problem.earliest !== undefined) return <HistoryUnavailable earliest={problem.earliest} />;
  if (problem.status === 404) return <ErrorNotice error={error} title={t('asOf.notFound')} advice={t('asOf.notFoundText')} />;
  const isFuture = problem.fields.some(({ pointer, code }) => pointer === '/asOf' && code === 'out_of_range');
  if (isFuture) {
    return (
      <Alert color="orange" icon={<HistoryIcon size={20} />} title={t('asOf.unavailable')} role="alert">
        {t('asOf.future')}
      </Alert>
    );
  }
  return <ErrorNotice error={error} onRetry={onRetry} />;
}

function HistoryUnavailable({ earliest }: { earliest: string }) {
  const { isComparing, show } = useAsOf();
  const compare = isComparing ? true : undefined;
  return (
    <Alert color="orange" icon={<HistoryIcon size={20} />} title={t('asOf.unavailable')} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('asOf.unavailableText', { moment: formatMoment(earliest), zone: timeZone() })}</Text>
        <Button size="xs" variant="default" onClick={() => show({ asOf: momentNear(earliest), compare })}>
          {t('asOf.showEarliest')}
        </Button>
      </Stack>
    </Alert>
  );
}

/**
 * Returns a full minute shortly after the earliest moment, because the retention moves the earliest moment while the page is open. Returns the
 * earliest moment if the history began just now.
 */
function momentNear(earliest: string): string {
  const minute = (Math.ceil(Date.parse(earliest) / MS_PER_MINUTE) + 1) * MS_PER_MINUTE;
  return minute < Date.now() ? new Date(minute).toISOString() : earliest;
}
