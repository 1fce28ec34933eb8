/** Addresses for users who are not signed in; the last four are where mails lead to. `sign-in.html` shows them without the code of the dashboard. */
export const SIGN_IN_PAGES = [
  '/account/sign-in',
  '/account/sign-up',
  '/account/forgot-password',
  '/accept-invitation',
  '/reset-password',
  '/verify-email',
  '/cancel-email-change',
];

/** Addresses of all other pages, shown by `index.html`, which finds out by itself which one. */
export const DASHBOARD_PAGES = ['/dashboard', '/dashboard/{*rest}', '/account', '/account/{*rest}'];
