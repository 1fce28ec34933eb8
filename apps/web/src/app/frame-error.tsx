import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { t } from '../texts';
import { ErrorNotice } from '../ui/error-notice';

/** Replaces a page that threw during rendering, within the frame of the dashboard. */
export function FrameError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <ErrorNotice error={error} title={t('errors.pageFailed')} advice={t('errors.pageFailedAdvice')} onRetry={retry} />;
}
