export const errors = {
  heading: 'This did not work',
  unreachable: 'The service can not be reached. Check your connection and try again.',
  unexpected: (status: number) => `The service answered with an error (${status}). Try again in a moment.`,
  notFound: 'There is nothing at this address',
  notFoundAdvice: 'The link may be old, or what it led to was deleted, or you may not see it.',
  pageFailed: 'This page stumbled over a fault of its own',
  pageFailedAdvice: 'Reload the page. If it happens again, tell your administrator what you did.',
};
