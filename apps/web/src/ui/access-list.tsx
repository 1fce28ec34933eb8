import { Code, List, Stack, Text } from '@mantine/core';
import type { Schema } from '../api/client';
import { findText, t } from '../texts';

interface Props {
  /** Scopes of OpenID Connect. */
  readonly scopes: readonly string[];
  readonly resources: readonly Schema<'ClientResourceResponse'>[];
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

function ResourceAccess({ resource: { identifier, scopes } }: { resource: Schema<'ClientResourceResponse'> }) {
  return (
    <Stack gap={4}>
      <Text size="sm" className="breakable">
        {t('signIn.authorize.resource', { name: identifier })}
      </Text>
      <List size="sm" spacing={4}>
        {scopes.map((scope) => (
          <List.Item key={scope}>
            <Code className="breakable">{scope}</Code>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
