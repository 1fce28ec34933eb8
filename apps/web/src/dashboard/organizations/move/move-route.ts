export const MOVE_ROUTE = '/dashboard/organizations/$org/move';
