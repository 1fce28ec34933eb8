import { at, type MatrixRow, type MatrixRows, sends } from './row.js';

/** A connection has all permissions in the organization, so its creator needs them. */
const ALL_PERMISSIONS = { additionalPermissions: ['*'] };

/** Returns a row for a request to a new connection, or to the token of a new connection. */
const onConnection = (rest = '', body?: object, more: Omit<MatrixRow, 'request'> = {}): MatrixRow => ({
  ...more,
  request: async ({ app }, orgs) => {
    const post = async (path: string): Promise<string> =>
      `${path}/${(await app.api.platform.post(path, { name: 'Matrix' }).expect(201)).body.data.id}`;
    const path = await post(at(orgs, '/scim-connections'));
    if (rest === '/roll-back') await app.database.query(STOP, [path.split('/').at(-1)]);
    return { path: rest.startsWith('TOKEN') ? rest.replace('TOKEN', await post(`${path}/tokens`)) : path + rest, body };
  },
});
const STOP = `UPDATE scim_connections SET mode = 'stopped', stopped_at = now() WHERE id = $1`;

export const SCIM_ROWS: MatrixRows = {
  listScimConnections: sends('/scim-connections'),
  createScimConnection: sends('/scim-connections', { name: 'Matrix' }, ALL_PERMISSIONS),
  getScimConnection: onConnection(),
  updateScimConnection: onConnection('', { name: 'Changed' }, ALL_PERMISSIONS),
  deleteScimConnection: onConnection('', undefined, ALL_PERMISSIONS),
  startScimPreview: onConnection('/start-preview', undefined, ALL_PERMISSIONS),
  activateScimConnection: onConnection('/activate', undefined, ALL_PERMISSIONS),
  rollBackScimConnection: onConnection('/roll-back', undefined, ALL_PERMISSIONS),
  getScimPreview: onConnection('/preview'),
  listScimPreviewUsers: onConnection('/preview/users'),
  listScimPreviewGroups: onConnection('/preview/groups'),
  listScimTokens: onConnection('/tokens'),
  createScimToken: onConnection('/tokens', { name: 'New' }, ALL_PERMISSIONS),
  rotateScimToken: onConnection('TOKEN/rotate', {}, ALL_PERMISSIONS),
  revokeScimToken: onConnection('TOKEN', undefined, ALL_PERMISSIONS),
};
