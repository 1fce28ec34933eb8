import { type Changes, ownerFor, type RequestContext } from '#platform/common';
import type { WebhookPatch } from './webhook-input.js';
import type { Webhook } from './webhook.entity.js';
import type { WebhookChanges } from './webhooks.repository.js';

/** Whether a change decides which events are sent, or where to. */
export const decidesWhatIsSent = ({ url, events, includeDescendants, filter, headers, enabled }: WebhookPatch): boolean =>
  [url, events, includeDescendants, filter, headers].some((value) => value !== undefined) || enabled === true;

/** The caller becomes the owner, so that the webhook is no longer flagged, nor switched off for that. */
export function takenOver(
  { caller }: RequestContext,
  { disabledBy }: Webhook,
  { enabled }: WebhookPatch,
): Partial<WebhookChanges> {
  const isOnAgain = disabledBy === 'owner' && enabled === undefined;
  return {
    ...ownerFor(caller),
    flag: null,
    flaggedAt: null,
    ...(isOnAgain ? { enabled: true, disabledBy: null, disabledAt: null } : {}),
  };
}

/** Whether a change makes a difference to which events a webhook gets. */
export const changesSubscription = (changes: Partial<WebhookChanges>): boolean =>
  'events' in changes || 'includeDescendants' in changes || 'filter' in changes;

const HIDDEN = '(hidden)';

/** That a value changed which events don't show. */
export function hiddenChanges(changed: Partial<WebhookChanges>): Changes {
  const names: Changes = {};
  if (changed.url !== undefined) names['url'] = { from: HIDDEN, to: HIDDEN };
  if (changed.secretSealed || changed.nextSecretSealed) names['secret'] = { from: HIDDEN, to: HIDDEN };
  if (changed.headersSealed !== undefined) names['headers'] = { from: HIDDEN, to: HIDDEN };
  return names;
}
