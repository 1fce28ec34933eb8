export const shell = {
  navigation: 'Pages of the organization',
  allOrganizations: 'All organizations',
  operator: 'Operator',
  operatorUntil: (time: string) => `Signed in with the one-time link; this ends ${time}.`,
  areas: {
    overview: 'Overview',
    users: 'Users',
    members: 'Members',
    roles: 'Roles',
    whyAllowed: 'Who may do what',
    webhooks: 'Webhooks',
    events: 'Event log',
    apiKeys: 'API keys',
    identityProviders: 'Identity providers',
    breakGlass: 'Break glass',
    settings: 'Settings',
  },
};
