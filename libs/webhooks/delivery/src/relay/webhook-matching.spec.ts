import { describe, expect, it } from '@jest/globals';
import type { EventType } from '#platform/events';
import { type CandidateWebhook, matchesEvent, type RelayedEvent } from './webhook-matching.js';

const event = (changes: Partial<RelayedEvent> = {}): RelayedEvent => ({
  id: 'evt_1',
  seq: 10n,
  type: 'user.created',
  organizationId: 'child',
  parentOrganizationId: 'parent',
  ancestorIds: ['root', 'parent'],
  payload: '{"data":{"status":"active"}}',
  ...changes,
});
const webhook = (changes: Partial<CandidateWebhook> = {}): CandidateWebhook => ({
  id: 'wh_1',
  organizationId: 'child',
  events: ['*'],
  includeDescendants: false,
  filter: null,
  createdSeq: 5n,
  deletedSeq: null,
  organizationDeletedSeq: null,
  ...changes,
});

const FILTER = { status: 'active' };

describe('matchesEvent', () => {
  it.each<[string, Partial<CandidateWebhook>, Partial<RelayedEvent>, boolean]>([
    ['accepts an event of its own organization', {}, {}, true],
    ['rejects an event of another organization', { organizationId: 'other' }, {}, false],
    [
      'accepts an event of a descendant organization, with includeDescendants',
      { organizationId: 'root', includeDescendants: true },
      {},
      true,
    ],
    ['rejects an event of a descendant organization, without includeDescendants', { organizationId: 'root' }, {}, false],
    ['rejects an event of a child organization, without includeDescendants', { organizationId: 'parent' }, {}, false],
    ['accepts the creation of a child organization', { organizationId: 'parent' }, { type: 'organization.created' }, true],
    ['accepts the deletion of a child organization', { organizationId: 'parent' }, { type: 'organization.deleted' }, true],
    ['rejects a change of a child organization', { organizationId: 'parent' }, { type: 'organization.updated' }, false],
    ['rejects the deletion of a grandchild organization', { organizationId: 'root' }, { type: 'organization.deleted' }, false],
    ['rejects an event before the creation of the webhook', { createdSeq: 11n }, {}, false],
    ['accepts an event before the deletion of the webhook', { deletedSeq: 11n }, {}, true],
    ['rejects an event after the deletion of the webhook', { deletedSeq: 9n }, {}, false],
    ["accepts an event before the deletion of the webhook's organization", { organizationDeletedSeq: 11n }, {}, true],
    ["rejects an event after the deletion of the webhook's organization", { organizationDeletedSeq: 9n }, {}, false],
    ['accepts an event whose payload the filter matches', { filter: FILTER }, {}, true],
    ['rejects an event whose payload the filter does not match', { filter: FILTER }, { payload: '{"data":{}}' }, false],
    ['accepts an event whose payload can not be parsed for the filter', { filter: FILTER }, { payload: '' }, true],
  ])('%s', (_, webhookChanges, eventChanges, expected) => {
    expect(matchesEvent(webhook(webhookChanges), event(eventChanges))).toBe(expected);
  });

  it.each<[string[], EventType, boolean]>([
    [['user.created'], 'user.created', true],
    [['user.*'], 'user.mfa_enabled', true],
    [['*'], 'role.revoked', true],
    [['user.created', 'role.created'], 'role.created', true],
    [['user.created'], 'user.deleted', false],
    [['user.*'], 'role.created', false],
    [['user.login'], 'user.login_failed', false],
    [[], 'user.created', false],
  ])('with a subscription to %j and an event %s, returns %s', (events, type, expected) => {
    expect(matchesEvent(webhook({ events }), event({ type }))).toBe(expected);
  });

  it('compares sequence numbers beyond the precision of a double', () => {
    expect(matchesEvent(webhook({ createdSeq: 9_007_199_254_740_993n }), event({ seq: 9_007_199_254_740_994n }))).toBe(true);
    expect(matchesEvent(webhook({ createdSeq: 9_007_199_254_740_993n }), event({ seq: 9_007_199_254_740_992n }))).toBe(false);
  });
});
