import { answerOf, api } from '../../../api/client';
import { queryClient } from '../../../app/query-client';
import { texts } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { notifySuccess } from '../../../ui/notify';
import type { BreakGlassRequest } from './break-glass-queries';

const words = texts.breakGlass;

/** Ends emergency access before its time, or takes a request back. */
export function askToEnd(org: string, { id, status, requesterEmail }: BreakGlassRequest, isOwn: boolean): void {
  const ownConsequences = status === 'pending' ? words.withdrawOwn : words.endOwn;
  confirm({
    title: words.endTitle,
    consequences: isOwn ? ownConsequences : words.endOther(requesterEmail),
    confirmLabel: words.end,
    isDangerous: true,
    action: async () => {
      await answerOf(api.POST('/v1/organizations/{org}/break-glass/{id}/end', { params: { path: { org, id } } }));
      await queryClient.invalidateQueries({ queryKey: ['break-glass', org] });
      notifySuccess(words.ended);
    },
  });
}
