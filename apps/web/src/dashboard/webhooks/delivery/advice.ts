import { findText, t } from '../../../texts';
import type { Attempt } from '../webhook-queries';

const STATUSES_WITH_TEXT = new Set([401, 404, 410, 413, 429]);

export function adviceFor({ errorKind, responseCode }: Pick<Attempt, 'errorKind' | 'responseCode'>): {
  title: string;
  advice: string;
} {
  const kind = errorKind === 'status' && responseCode !== null ? kindOfStatus(responseCode) : errorKind;
  return {
    title: findText(`webhookErrors.${kind}.title`) ?? t('webhookErrors.unknown.title'),
    advice: findText(`webhookErrors.${kind}.advice`) ?? t('webhookErrors.unknown.advice'),
  };
}

function kindOfStatus(code: number): string {
  if (STATUSES_WITH_TEXT.has(code)) return `status_${code}`;
  if (code === 403) return 'status_401';
  if (code >= 500) return 'status_5xx';
  return code >= 300 && code < 400 ? 'status_3xx' : 'status';
}
