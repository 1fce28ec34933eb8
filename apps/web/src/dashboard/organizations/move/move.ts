import type { Schema } from '../../../api/client';

export const MOVE_ROUTE = '/dashboard/organizations/$org/move';

const MOVE_TABS = ['settings', 'locks', 'policies', 'access', 'webhooks'] as const;

/** The tabs of the preview, except for the first. */
type MoveTab = (typeof MOVE_TABS)[number];

export const isMoveTab = (value: unknown): value is MoveTab => MOVE_TABS.some((tab) => tab === value);

export interface MoveSearch {
  /** Id or slug of the new parent. */
  readonly parent?: string;
  readonly tab?: MoveTab;
}

/** The effects of a move. */
export type Move = Schema<'OrganizationMoveResponse'>;

/** Returns the organizations with users who would not comply with the new settings. */
export const nonCompliantOrganizations = (move: Move): Move['settings'] =>
  move.settings.filter(({ usersOutOfLine }) => Object.values(usersOutOfLine).some((count) => count > 0));
