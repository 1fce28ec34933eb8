import { profileRoutes } from './profile/routes';
import { signInRoutes } from './sign-in/routes';

/** Pages of people about their own account, and those on which they sign in. */
export const accountRoutes = [...signInRoutes, profileRoutes] as const;
