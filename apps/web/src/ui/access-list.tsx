import { Code, List, Stack, Text } from '@mantine/core';
import type { Schema } from '../api/client';
import { findText, t } from '../texts';

interface Props {
  /** Scopes of OpenID Connect. */
  readonly scopes: readonly string[];
  readonly resources: readonly Schema<'AllowedResourceResponse'>[];
}

/** Shows in plain words what an application can do for a user. */
export function AccessList({ scopes, resources }: Props) {
  return (
    <Stack gap="sm">
      {scopes.length > 0 && (
        <List size="sm" spacing={4}>
          {scopes.map((scope) => (
            <List.Item key={scope}>{findText(`signIn.authorize.scopes.${scope}`) ?? <Code>{scope}</Code>}</List.Item>
          ))}
        </List>
      )}
      {resources.map((resource) => (
        <ResourceAccess key={resource.identifier} resource={resource} />
      ))}
    </Stack>
  );
}

function ResourceAccess({ resource: { identifier, name, scopes } }: { resource: Schema<'AllowedResourceResponse'> }) {
  const isOwn = identifier === window.location.origin;
  return (
    <Stack gap={4}>
      <Text size="sm" className="breakable">
        {isOwn ? t('signIn.authorize.ownResource') : t('signIn.authorize.resource', { name })}
      </Text>
      <List size="sm" spacing={4}>
        {scopes.map((scope) => (
          <List.Item key={scope.name} className="breakable">
            {(isOwn && findText(`signIn.authorize.permissions.${scope.name}`)) ||
              (scope.description ?? <Code>{scope.name}</Code>)}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
