import { Anchor, Code } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Schema } from '../../api/client';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { UserName } from '../user-name';

type Event = Schema<'EventResponse'>;

/** The page of a resource below its organization, by the prefix of its ID. An empty path is the organization itself. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  usr: (id) => `/users/${id}`,
  role: (id) => `/roles/${id}`,
  group: (id) => `/groups/${id}`,
  wh: (id) => `/webhooks/${id}`,
  idp: (id) => `/identity-providers/${id}`,
  scim: (id) => `/scim/${id}`,
  app: (id) => `/applications/${id}`,
  ors: (id) => `/applications/apis/${id}`,
  aap: () => '/applications/requests',
  key: () => '/api-keys',
  dmn: () => '/domains',
  sl: () => '/setup-links',
  org: () => '',
};

interface Target {
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** More about the target, such as the assigned role. */
  readonly detail: string | undefined;
}

/** Shows what an event is about by name, with a link to its page. */
export function EventTarget({ event }: { event: Event }) {
  const { id, name, detail } = targetOf(event);
  const suffix = detail ? `: ${detail}` : '';
  if (id?.startsWith('usr_') && name === undefined)
    return (
      <>
        <UserName id={id} org={event.organization.id} isLink />
        {suffix}
      </>
    );
  const page = id === undefined || event.type.endsWith('.deleted') ? undefined : PAGES[id.split('_')[0]!]?.(id);
  if (page === undefined) return name === undefined && id !== undefined ? <Code>{id}</Code> : `${name ?? ''}${suffix}`;
  const organization = id!.startsWith('org_') ? id! : event.organization.id;
  return (
    <>
      <Anchor component={Link} to={`/dashboard/organizations/${organization}${page}`} size="sm" className="breakable">
        {name ?? (id!.startsWith('sl_') ? t('events.setupLink') : <Code>{id}</Code>)}
      </Anchor>
      {suffix}
    </>
  );
}

/** Returns the user that the event is about, otherwise the group, role or other resource. */
function targetOf({ data }: Event): Target {
  const [user, group, role, signals] = ['user', 'group', 'role', 'signals'].map((name) => fields(data[name])) as [
    Fields,
    Fields,
    Fields,
    Fields,
  ];
  const detail = nameOfRole(role) ?? text(group['name']) ?? text(data['clientName']);
  const userId = [user['id'], data['userId'], data['requesterId'], data['subjectId'], signals['userId']].map(text).find(Boolean);
  const email = text(user['email'] ?? data['email'] ?? signals['email']);
  if (userId !== undefined) return { id: userId, name: email, detail };
  if (group['id'] !== undefined) return { id: text(group['id']), name: text(group['name']), detail: nameOfRole(role) };
  return {
    id: text(data['id']),
    name: email ?? ['name', 'displayName', 'clientName'].map((field) => text(data[field])).find(Boolean),
    detail: undefined,
  };
}

function nameOfRole(role: Fields): string | undefined {
  const name = text(role['name']);
  return name === undefined ? undefined : roleName(name);
}

type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
