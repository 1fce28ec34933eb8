import { startBaseline } from './baseline-process.mjs';
import { seedDirectories } from './directories.mjs';
import { FIGURES, getUser, run } from './load.mjs';
import { loadTarget } from './load-target.mjs';
import { startKeycloak } from './oauth-keycloak.mjs';
import { KEYCLOAK_DATABASE } from './peers/keycloak.mjs';
import { addressOf, OAUTH_ENVIRONMENT, oauthTarget, RESOURCE } from './oauth-target.mjs';
import { postgresTime } from './processor-time.mjs';
import { startService } from './service.mjs';
import { median } from './statistics.mjs';
import { copyDatabase, createDatabase, dropDatabase } from './stores.mjs';

const SERVICE_DATABASE = 'bench_oauth';
const BASELINE_DATABASE = 'bench_oauth_baseline';
const CONNECTIONS = 16;
const FORM = 'application/x-www-form-urlencoded';
/** The minimum rate relative to Keycloak. */
export const KEYCLOAK_RATIO = 1;

const at = (list, index) => list[index % list.length];

/** Takes a refresh token that no other request uses. The answer has the next token of the sign-in. */
function takeToken({ refreshTokens }) {
  const token = refreshTokens.shift();
  if (token === undefined) throw new Error('All refresh tokens are in use. Create more sign-ins.');
  return token;
}

/** Gets the access tokens that are exchanged. They are valid for 5 minutes, so not from the start of the service. */
async function refreshSubjects({ url, target: { endpoints, exchange } }) {
  const { portal, refreshTokens } = exchange;
  const refreshed = await Promise.all(
    refreshTokens.map(async (token, index) => {
      const { body, ...options } = form(endpoints.token, index, { ...portal, grant_type: 'refresh_token', refresh_token: token });
      return (await fetch(url + endpoints.token, { ...options, body })).json();
    }),
  );
  exchange.subjects = refreshed.map(({ access_token: token }) => token);
  exchange.refreshTokens = refreshed.map(({ refresh_token: token }) => token);
}

/** `prepare` runs before the operation is measured. `wanted` is the minimum rate relative to the baseline, or with `of` relative to that operation of the service. */
const OPERATIONS = [
  { name: 'get user', programs: ['service'], request: (target, next) => ({ method: 'GET', path: getUser(target, next).path }) },
  {
    name: 'client credentials',
    wanted: 0.5,
    request: ({ endpoints, machine, resource }, next) =>
      form(endpoints.token, next, { ...machine, grant_type: 'client_credentials', ...resource }),
  },
  {
    name: 'refresh',
    wanted: 0.4,
    request: (target, next) =>
      form(target.endpoints.token, next, { ...target.web, grant_type: 'refresh_token', refresh_token: takeToken(target) }),
    onResponse: ({ refreshTokens }, status, body) => {
      if (status === 200) refreshTokens.push(JSON.parse(body).refresh_token);
    },
  },
  {
    name: 'token exchange',
    wanted: 0.5,
    of: 'refresh',
    programs: ['service'],
    prepare: refreshSubjects,
    request: ({ endpoints, exchange: { fields, subjects } }, next) =>
      form(endpoints.token, next, { ...fields, subject_token: at(subjects, next) }),
  },
  {
    name: 'introspection',
    wanted: 0.5,
    of: 'get user',
    programs: ['service', 'Keycloak'],
    request: ({ endpoints, web, accessTokens }, next) =>
      form(endpoints.introspect, next, { ...web, token: at(accessTokens, next) }),
  },
  {
    name: 'userinfo',
    wanted: 0.5,
    of: 'get user',
    programs: ['service', 'Keycloak'],
    request: ({ endpoints, accessTokens }, next) => ({
      method: 'GET',
      path: endpoints.userinfo,
      headers: { authorization: `Bearer ${at(accessTokens, next)}`, ...addressOf(next) },
    }),
  },
];

const form = (path, next, fields) => ({
  method: 'POST',
  path,
  headers: { 'content-type': FORM, ...addressOf(next) },
  body: new URLSearchParams(fields).toString(),
});

/**
 * Measures the endpoints of OAuth, in turns with a bare server with the same statements and an ES256 signature, and with `peers` with
 * Keycloak. `only` selects operations whose names contain it.
 */
export async function measureOAuth(url, { users, rounds, seconds, keycloakWarmUpSeconds, only = '', nodeOptions, peers }, log) {
  const programs = await startPrograms(url, { users, nodeOptions, peers }, log);
  try {
    const rows = [];
    const isChosen = ({ name, of }) =>
      name.includes(only) || OPERATIONS.some((other) => other.of === name && other.name.includes(only)) || of === only;
    for (const operation of OPERATIONS.filter(isChosen)) {
      log(operation.name);
      const running = programs.filter(({ name }) => operation.programs?.includes(name) ?? true);
      rows.push(await measure(running, operation, { rounds, seconds, keycloakWarmUpSeconds }));
    }
    return rows.map((row) => withVerdict(row, rows));
  } finally {
    for (const { stop } of programs) await stop();
    for (const name of [SERVICE_DATABASE, BASELINE_DATABASE, KEYCLOAK_DATABASE]) await dropDatabase(url, name);
  }
}

/** Starts the service and the bare server, with the same rows in separate databases, and Keycloak. */
async function startPrograms(url, { users, nodeOptions, peers }, log) {
  const serviceUrl = await createDatabase(url, SERVICE_DATABASE);
  await seedDirectories(serviceUrl, [users], log);
  const environment = { ...OAUTH_ENVIRONMENT, RATE_LIMIT: '1000000000' };
  const first = await startService(serviceUrl, environment);
  log('Signing users in');
  const load = await loadTarget(serviceUrl, first, users);
  const oauth = await oauthTarget(serviceUrl, first, load);
  await first.stop();
  const baselineUrl = await copyDatabase(url, SERVICE_DATABASE, BASELINE_DATABASE);
  const endpoints = { token: '/oauth/token', introspect: '/oauth/introspect', userinfo: '/oauth/userinfo' };
  const target = () => ({
    ...load,
    ...oauth,
    endpoints,
    resource: { resource: RESOURCE, scope: 'invoices:read' },
    refreshTokens: [...oauth.refreshTokens],
    exchange: { ...oauth.exchange },
  });
  const service = await startService(serviceUrl, environment, nodeOptions);
  const headers = { authorization: `Bearer ${load.key}` };
  const postgresTimeMs = await postgresTime(serviceUrl);
  const programs = [
    { name: 'service', ...service, headers, target: target() },
    { name: 'baseline', ...(await startBaseline(baselineUrl)), target: target() },
    ...(peers ? [await startKeycloak(url, log)] : []),
  ];
  return programs.map((program) => ({ ...program, postgresTimeMs, next: 0 }));
}

async function measure(programs, operation, { rounds, seconds, keycloakWarmUpSeconds }) {
  const runOne = (program, duration) => run(program, operation, program.target, CONNECTIONS, duration);
  for (const program of programs) await operation.prepare?.(program);
  const measured = new Map(programs.map(({ name }) => [name, []]));
  for (const program of programs) await runOne(program, program.name === 'Keycloak' ? keycloakWarmUpSeconds : 1);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? programs : programs.toReversed();
    for (const program of order) measured.get(program.name).push(await runOne(program, seconds));
  }
  const medians = [...measured].map(([name, runs]) => [
    name,
    Object.fromEntries(FIGURES.map((figure) => [figure, median(runs.map((each) => each[figure]))])),
  ]);
  return { operation: operation.name, wanted: operation.wanted, of: operation.of, ...Object.fromEntries(medians) };
}

function withVerdict(row, rows) {
  const compared = row.of === undefined ? row.baseline : rows.find(({ operation }) => operation === row.of)?.service;
  const ratio = compared && row.service.perSecond / compared.perSecond;
  const timesKeycloak = row.Keycloak && row.service.perSecond / row.Keycloak.perSecond;
  const limits = [
    [ratio, row.wanted],
    [timesKeycloak, KEYCLOAK_RATIO],
  ].filter(([actual, wanted]) => actual !== undefined && wanted !== undefined);
  return {
    ...row,
    ratio,
    timesKeycloak,
    ...(limits.length > 0 && { holds: limits.every(([actual, wanted]) => actual >= wanted) }),
  };
}
