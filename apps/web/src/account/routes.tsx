import { profileRoutes } from './profile/routes';

/** Pages of people about their own account, and those on which they sign in. */
export const accountRoutes = [profileRoutes] as const;
