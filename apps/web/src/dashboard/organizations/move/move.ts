import type { Schema } from '../../../api/client';

export const MOVE_ROUTE = '/dashboard/organizations/$org/move';

/** The effects of a move. */
export type Move = Schema<'OrganizationMoveResponse'>;

/** Returns the organizations with users who would not comply with the new settings. */
export const nonCompliantOrganizations = (move: Move): Move['settings'] =>
  move.settings.filter(({ usersOutOfLine }) => Object.values(usersOutOfLine).some((count) => count > 0));
