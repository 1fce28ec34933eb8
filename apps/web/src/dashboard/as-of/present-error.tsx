import { Alert } from '@mantine/core';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';

/** Shows an error of a read of the present that is compared with a past moment. */
export function PresentError({ error }: { error: unknown }) {
  if (error instanceof ApiProblem && error.status === 404) return <Alert color="gray">{t('asOf.notFoundNow')}</Alert>;
  return <ErrorNotice error={error} />;
}
