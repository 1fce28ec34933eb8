/** Paths for users who are not signed in, and for the questions of applications. Links in emails lead to the last four. `sign-in.html` contains no code of the dashboard. */
export const SIGN_IN_PAGES = [
  '/account/sign-in',
  '/account/sign-up',
  '/account/forgot-password',
  '/account/authorize',
  '/account/sign-out',
  '/device',
  '/accept-invitation',
  '/reset-password',
  '/verify-email',
  '/cancel-email-change',
];

/** Paths of all other pages, which `index.html` routes. */
export const DASHBOARD_PAGES = ['/dashboard', '/dashboard/{*rest}', '/account', '/account/{*rest}', '/setup'];

/** Paths of the API reference. */
export const REFERENCE_PAGES = ['/docs', '/docs/operations/{*rest}'];
