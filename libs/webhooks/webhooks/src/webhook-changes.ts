import { type Changes, ownerFor, type RequestContext } from '#platform/common';
import type { WebhookPatch } from './webhook-input.js';
import type { Webhook } from './webhook.entity.js';
import type { WebhookChanges } from './webhook.repository.js';

/** Returns whether a request sets the destination or selects which events are sent. */
export const isOwnerChange = ({ url, events, includeDescendants, filter, headers, enabled }: WebhookPatch): boolean =>
  [url, events, includeDescendants, filter, headers].some((value) => value !== undefined) || enabled === true;

/**
 * Returns the changes that make the caller the owner. The changes remove a flag that concerns the previous owner, and enable a webhook that
 * was disabled because of the flag.
 */
export function ownerChanges(
  { caller }: RequestContext,
  { disabledBy }: Webhook,
  { enabled }: WebhookPatch,
): Partial<WebhookChanges> {
  const mustEnable = disabledBy === 'owner' && enabled === undefined;
  return {
    ...ownerFor(caller),
    flag: null,
    flaggedAt: null,
    ...(mustEnable ? { enabled: true, disabledBy: null, disabledAt: null } : {}),
  };
}

/** Returns whether a change affects which events the webhook receives. */
export const changesSubscription = (changes: Partial<WebhookChanges>): boolean =>
  'events' in changes || 'includeDescendants' in changes || 'filter' in changes;

/** Returns whether a change sends events to another destination, sends other events, or sends them again. */
export const copiesEvents = (changes: Partial<WebhookChanges>): boolean =>
  changesSubscription(changes) || 'url' in changes || 'headersSealed' in changes || changes.enabled === true;

const HIDDEN = '(hidden)';

/** Returns the changes of fields whose values are hidden in events. */
export function hiddenChanges(changed: Partial<WebhookChanges>): Changes {
  const changes: Changes = {};
  if (changed.url !== undefined) changes['url'] = { from: HIDDEN, to: HIDDEN };
  if (changed.secretSealed || changed.nextSecretSealed) changes['secret'] = { from: HIDDEN, to: HIDDEN };
  if (changed.headersSealed !== undefined) changes['headers'] = { from: HIDDEN, to: HIDDEN };
  return changes;
}
