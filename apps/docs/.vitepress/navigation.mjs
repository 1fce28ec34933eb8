import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const docsDir = join(import.meta.dirname, '../../../docs');

/** Returns the titles and addresses of all pages of a folder, sorted by name. */
const pagesOf = (folder, { textOf = titleOf } = {}) =>
  readdirSync(join(docsDir, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => ({ text: textOf(`${folder}/${name}`), link: `/${folder}/${name.slice(0, -3)}` }));

const titleOf = (page) => /^# (.+)$/m.exec(readFileSync(join(docsDir, page), 'utf8'))[1];
const nameOf = (page) => page.slice(page.lastIndexOf('/') + 1, -3);

const guide = (text, name) => ({ text, link: `/guides/${name}` });

const START = [
  { text: 'Quickstart', link: '/quickstart' },
  { text: 'Concepts', link: '/concepts' },
  { text: 'Glossary', link: '/glossary' },
];

/** Pages by audience: API consumers, teams that build services, operators. */
const CONSUMER = [
  { text: 'Overview', link: '/for-api-consumers' },
  guide('Call the API', 'api'),
  guide('API keys', 'api-keys'),
  guide('Roles and permissions', 'permissions'),
  guide('Groups', 'groups'),
  guide('Setup links', 'setup-links'),
  guide('SCIM provisioning', 'scim'),
  guide('SCIM preview and limits', 'scim-preview'),
  guide('Settings', 'settings'),
  guide('Reorganize', 'reorganize'),
  guide('Import and export', 'import-export'),
  guide('Passwords without hashes', 'password-migration'),
  guide('Bulk changes', 'bulk-changes'),
  guide('Audit access', 'audit-access'),
  guide('Languages', 'languages'),
  { text: 'Migrate', link: '/migration' },
  guide('Webhooks', 'webhooks'),
  guide('Webhook signatures', 'verify-webhooks'),
  guide('Resend and replay', 'webhook-deliveries'),
  guide('Formats', 'webhook-formats'),
  guide('Event log', 'events'),
  guide('Packages', 'packages'),
  guide('Generated clients', 'generated-clients'),
  guide('Command line', 'command-line'),
  guide('Configuration as code', 'configuration'),
];
const BACKEND = [
  { text: 'Overview', link: '/for-backend-teams' },
  guide('Sign users in to your app', 'sign-in-with-oauth'),
  guide('Tokens for your API', 'oauth-apis'),
  guide('Application approvals', 'application-approvals'),
  guide('AI assistants (MCP)', 'mcp'),
  guide('Token exchange', 'token-exchange'),
  guide('Assertions of identity providers', 'identity-assertions'),
  guide('Session verification', 'verifying-sessions'),
  guide('Sign-in', 'signing-in'),
  guide('Sign-in pages', 'sign-in-pages'),
  guide('Multi-factor authentication', 'mfa'),
  guide('Identity providers', 'oidc'),
  guide('GitHub', 'github'),
  guide('Domains', 'domains'),
  guide('Required single sign-on', 'require-sso'),
  guide('Event subscribers', 'event-subscribers'),
  { text: 'TypeScript client', link: '/project/client' },
  { text: 'Python client', link: '/project/python' },
  { text: 'Go client', link: '/project/go' },
  { text: 'Webhook package', link: '/project/webhooks' },
];
const OPERATOR = [
  { text: 'Overview', link: '/for-operators' },
  { text: 'Operations', link: '/operations' },
  { text: 'Deployment', link: '/deployment' },
  { text: 'Sizing and scaling', link: '/scaling' },
  { text: 'Citus', link: '/citus' },
  { text: 'Observability', link: '/observability' },
  guide('Dashboard', 'dashboard'),
  guide('Notifications', 'notifications'),
  guide('Break-glass access', 'break-glass'),
  guide('Impersonation', 'impersonation'),
  guide('Compromised accounts', 'recovering-an-account'),
  { text: 'Performance', link: '/performance' },
  { text: 'Delivery performance', link: '/performance-deliveries' },
];
const REFERENCE = [
  { text: 'Event types', link: '/events' },
  { text: 'Error codes', link: '/reference/errors' },
  { text: 'Permissions', link: '/reference/permissions' },
  { text: 'Formats of webhooks', link: '/reference/webhook-formats' },
  { text: 'Configuration', link: '/operations#environment-variables' },
  { text: 'Access matrix', link: '/access-matrix' },
  { text: 'Versioning', link: '/versioning' },
];
const ASSURANCE = [
  { text: 'Guarantees', link: '/guarantees' },
  { text: 'Security', link: '/security/' },
  { text: 'Reporting and hardening', link: '/project/security' },
];
const PROJECT = [
  { text: 'README', link: '/project/readme' },
  { text: 'Changelog', link: '/project/changelog' },
  { text: 'Architecture', link: '/project/architecture' },
  { text: 'Contributing', link: '/project/contributing' },
  { text: 'Releasing', link: '/releasing' },
  { text: 'How samples are tested', link: '/samples' },
  { text: 'Decisions', link: '/adr/' },
  { text: 'How guarantees are tested', link: '/engineering/guarantees' },
  { text: 'How it performs', link: '/engineering/performance' },
  { text: 'Rules of the OpenAPI document', link: '/engineering/openapi-rules' },
  { text: 'Untrusted text', link: '/engineering/untrusted-text' },
];

const group = (text, items) => ({ text, collapsed: false, items });

const main = [
  group('Start', START),
  group('API consumers', CONSUMER),
  group('Backend teams', BACKEND),
  group('Operators', OPERATOR),
  group('Reference', REFERENCE),
  group('Guarantees and security', ASSURANCE),
  group('Project', PROJECT),
];

/**
 * Returns the sidebar of a large folder. The main sidebar omits large folders, because each page contains the complete sidebar.
 */
const folder = (text, items) => [{ text: 'All pages', link: '/' }, group(text, items)];

export const sidebar = {
  '/errors/': folder('Error codes', pagesOf('errors', { textOf: nameOf })),
  '/adr/': folder('Decisions', [{ text: 'Overview', link: '/adr/' }, ...pagesOf('adr')]),
  '/security/': folder('Security', [{ text: 'Overview', link: '/security/' }, ...pagesOf('security')]),
  '/': main,
};

export const nav = [
  { text: 'Quickstart', link: '/quickstart' },
  { text: 'API consumers', link: CONSUMER[0].link },
  { text: 'Backend teams', link: BACKEND[0].link },
  { text: 'Operators', link: OPERATOR[0].link },
  { text: 'Reference', items: REFERENCE },
];
