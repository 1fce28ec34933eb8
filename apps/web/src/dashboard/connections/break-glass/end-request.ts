import { api, unwrap } from '../../../api/client';
import { queryClient } from '../../../app/query-client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { notifySuccess } from '../../../ui/notify';
import type { BreakGlassRequest } from './break-glass-queries';

/** Ends emergency access or withdraws a request, after a confirmation. */
export function confirmEnd(org: string, { id, status, requesterEmail }: BreakGlassRequest, isOwn: boolean): void {
  const ownConsequences = status === 'pending' ? t('breakGlass.withdrawOwn') : t('breakGlass.endOwn');
  confirm({
    title: t('breakGlass.endTitle'),
    consequences: isOwn ? ownConsequences : t('breakGlass.endOther', { who: requesterEmail }),
    confirmLabel: t('breakGlass.end'),
    isDangerous: true,
    action: async () => {
      await unwrap(api.POST('/v1/organizations/{org}/break-glass/{id}/end', { params: { path: { org, id } } }));
      await queryClient.invalidateQueries({ queryKey: ['break-glass', org] });
      notifySuccess(t('breakGlass.ended'));
    },
  });
}
