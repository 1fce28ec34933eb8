import { Anchor, Code, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '../../api/client';
import { t } from '../../texts';
import { UserName } from '../user-name';

type Event = Schema<'EventResponse'>;
type Actor = NonNullable<Event['actor']>;

/** Shows who caused an event. */
export function EventActor({ event }: { event: Event }) {
  return (
    <Text component="div" size="sm" className="breakable">
      {actorOf(event)}
      {event.actor?.impersonator && (
        <Text component="div" size="xs" c="dimmed">
          {t('events.impersonatorId')}: <UserName id={event.actor.impersonator.id} />
        </Text>
      )}
    </Text>
  );
}

function actorOf({ actor, metadata, organization }: Event): ReactNode {
  if (!actor || actor.type === 'system') return t('events.system');
  const page = `/dashboard/organizations/${organization.id}`;
  switch (actor.type) {
    case 'anonymous':
      return notSignedIn(metadata?.ipAddress);
    case 'scim':
      return actor.name === undefined ? (
        <>
          {t('events.scimConnection')} <Code>{actor.id}</Code>
        </>
      ) : (
        <Anchor component={Link} to={`${page}/scim/${actor.id}`} size="sm">
          {t('events.scimConnectionName', { name: actor.name })}
        </Anchor>
      );
    case 'setup_link':
      return (
        <Anchor component={Link} to={`${page}/setup-links`} size="sm">
          {t('events.setupLink')}
        </Anchor>
      );
    case 'user':
      return <UserActor actor={actor} page={page} />;
    default:
      return programName(actor, metadata?.ipAddress);
  }
}

const notSignedIn = (address: string | undefined): string =>
  address ? t('events.notSignedInFrom', { address }) : t('events.notSignedIn');

function UserActor({ actor, page }: { actor: Actor; page: string }) {
  const { id, email, client } = actor;
  const name = id ? (
    <Anchor component={Link} to={`${page}/users/${id}`} size="sm" className="breakable">
      {email ?? id}
    </Anchor>
  ) : (
    email
  );
  return client ? (
    <>
      {name}
      <Text component="div" size="xs" c="dimmed">
        {t('events.throughApplication', { name: client.name })}
      </Text>
    </>
  ) : (
    name
  );
}

/** Names an application, an operator or a key. Events of earlier releases have no name of the key, and no ID of requests without a key. */
function programName({ id, name, last4, platform, client }: Actor, address: string | undefined): ReactNode {
  if (client) return t('events.application', { name: client.name });
  if (id === undefined) return notSignedIn(address);
  if (id.startsWith('ops_')) return t('events.operator');
  if (name === undefined)
    return (
      <>
        {t('events.apiKey')} <Code>{id}</Code>
      </>
    );
  const key = last4 === undefined ? name : `${name} …${last4}`;
  return t(platform ? 'events.platformKeyName' : 'events.apiKeyName', { key });
}
