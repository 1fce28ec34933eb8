import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const docsDir = join(import.meta.dirname, '../../../docs');

/** Titles and addresses of all pages of a folder, in the order of their names. */
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
];

/** For whoever calls the API, for whoever builds a service beside this one, and for whoever runs it. */
const CONSUMER = [
  { text: 'How to', link: '/for-api-consumers' },
  guide('Using the API', 'api'),
  guide('Settings', 'settings'),
  guide('Languages', 'languages'),
  guide('Moving users in and out', 'import-export'),
  { text: 'From another system', link: '/migration' },
  guide('Webhooks', 'webhooks'),
  guide('The event log', 'events'),
  guide('Packages', 'packages'),
  guide('The command line', 'command-line'),
];
const BACKEND = [
  { text: 'How to', link: '/for-backend-teams' },
  guide('Verifying sessions', 'verifying-sessions'),
  guide('Signing in', 'signing-in'),
  guide('Second factors', 'mfa'),
  guide('Identity providers', 'oidc'),
  { text: 'The typed client', link: '/project/client' },
  { text: 'Verification of webhooks', link: '/project/webhooks' },
];
const OPERATOR = [
  { text: 'How to', link: '/for-operators' },
  { text: 'Operations', link: '/operations' },
  { text: 'Deployment', link: '/deployment' },
  { text: 'Sizing and scaling', link: '/scaling' },
  { text: 'Observability', link: '/observability' },
  guide('The web pages', 'dashboard'),
  guide('Emergency access', 'break-glass'),
  guide('Recovering an account', 'recovering-an-account'),
  { text: 'Performance', link: '/performance' },
  { text: 'Performance of deliveries', link: '/performance-deliveries' },
  { text: 'Plans of reads', link: '/performance-plans' },
];
const REFERENCE = [
  { text: 'Events', link: '/events' },
  { text: 'Error codes', link: '/reference/errors' },
  { text: 'Permissions', link: '/reference/permissions' },
  { text: 'Configuration', link: '/operations#environment-variables' },
  { text: 'Who may do what', link: '/access-matrix' },
  { text: 'Versions', link: '/versioning' },
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
  { text: 'How samples are checked', link: '/samples' },
  { text: 'Decisions', link: '/adr/' },
];

const group = (text, items) => ({ text, collapsed: false, items });

const main = [
  group('Start', START),
  group('Calling the API', CONSUMER),
  group('Beside your backend', BACKEND),
  group('Running it', OPERATOR),
  group('Reference', REFERENCE),
  group('Guarantees and security', ASSURANCE),
  group('The project', PROJECT),
];

/** Folders of many pages have a sidebar of their own: every page carries its sidebar in its source. */
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
