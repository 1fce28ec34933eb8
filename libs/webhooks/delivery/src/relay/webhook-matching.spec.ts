import { describe, expect, it } from '@jest/globals';
import type { EventType } from '#platform/events';
import { type CandidateWebhook, organizationsOf, matchesEvent, type RelayedEvent } from './webhook-matching.js';

const event = (changes: Partial<RelayedEvent> = {}): RelayedEvent => ({
  id: 'evt_1',
  seq: 10n,
  type: 'user.created',
  organizationId: 'child',
  parentOrganizationId: 'parent',
  ancestorIds: ['root', 'parent'],
  ...changes,
});
const webhook = (changes: Partial<CandidateWebhook> = {}): CandidateWebhook => ({
  id: 'wh_1',
  organizationId: 'child',
  events: ['*'],
  includeDescendants: false,
  filter: null,
  enabled: true,
  disabledBy: null,
  createdSeq: 5n,
  deletedSeq: null,
  organizationDeletedSeq: null,
  ...changes,
});

describe('matchesEvent', () => {
  it.each<[string, Partial<CandidateWebhook>, Partial<RelayedEvent>, boolean]>([
    ['its own organization', {}, {}, true],
    ['another organization', { organizationId: 'other' }, {}, false],
    ['an organization below, when asked for', { organizationId: 'root', includeDescendants: true }, {}, true],
    ['an organization below, when not asked for', { organizationId: 'root' }, {}, false],
    ['a direct child, when not asked for', { organizationId: 'parent' }, {}, false],
    ['the creation of a direct child', { organizationId: 'parent' }, { type: 'organization.created' }, true],
    ['the deletion of a direct child', { organizationId: 'parent' }, { type: 'organization.deleted' }, true],
    ['the change of a direct child', { organizationId: 'parent' }, { type: 'organization.updated' }, false],
    ['the deletion of a grandchild', { organizationId: 'root' }, { type: 'organization.deleted' }, false],
    ['an event from before it was made', { createdSeq: 11n }, {}, false],
    ['an event from before it was deleted', { deletedSeq: 11n }, {}, true],
    ['an event from after it was deleted', { deletedSeq: 9n }, {}, false],
    ['an event from before its organization was deleted', { organizationDeletedSeq: 11n }, {}, true],
    ['an event from after its organization was deleted', { organizationDeletedSeq: 9n }, {}, false],
    ['a switched-off webhook: it is recorded', { enabled: false, disabledBy: 'hand' }, {}, true],
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
  ])('subscribed to %j, of %s: %s', (events, type, expected) => {
    expect(matchesEvent(webhook({ events }), event({ type }))).toBe(expected);
  });

  it('compares sequence numbers beyond the precision of a double', () => {
    expect(matchesEvent(webhook({ createdSeq: 9_007_199_254_740_993n }), event({ seq: 9_007_199_254_740_994n }))).toBe(true);
    expect(matchesEvent(webhook({ createdSeq: 9_007_199_254_740_993n }), event({ seq: 9_007_199_254_740_992n }))).toBe(false);
  });
});

describe('organizationsOf', () => {
  it('returns each organization once', () => {
    expect(organizationsOf([event(), event({ organizationId: 'other', ancestorIds: ['root'] })])).toEqual([
      'child',
      'root',
      'parent',
      'other',
    ]);
  });
});
