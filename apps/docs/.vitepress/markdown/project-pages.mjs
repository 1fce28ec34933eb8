/** Pages outside `docs/` that are also on the site. */
export const PROJECT_PAGES = [
  { page: 'readme', file: 'README.md' },
  { page: 'changelog', file: 'CHANGELOG.md' },
  { page: 'security', file: 'SECURITY.md' },
  { page: 'architecture', file: 'ARCHITECTURE.md' },
  { page: 'contributing', file: 'CONTRIBUTING.md' },
  { page: 'client', file: 'packages/client/README.md' },
  { page: 'python', file: 'packages/python/README.md' },
  { page: 'webhooks', file: 'packages/webhooks/README.md' },
  { page: 'cli', file: 'packages/cli/README.md' },
  { page: 'go', file: 'packages/go/README.md' },
];
