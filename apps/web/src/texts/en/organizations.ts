export const organizations = {
  title: 'Organizations',
  description: 'All organizations that you may see. Those below others inherit their settings.',
  name: 'Name',
  status: 'Status',
  createdAt: 'Created',
  emptyTitle: 'No organization yet',
  empty: 'Organizations hold users, roles, settings and webhooks. Make the first one to begin.',
};
