import { MultiSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { baseUrl } from '../../api/base-url';
import type { Schema } from '../../api/client';
import { filterOptions } from '../../app/search';
import { t } from '../../texts';
import { servicePermissionsQuery } from '../access/role-queries';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { apiChoicesQuery } from './application-queries';

type Resource = Schema<'ClientResourceResponse'>;

/** The scopes with which machine clients receive shared signals, as the standard names them. */
const RECEIVER_SCOPES = ['ssf.manage', 'ssf.read'];

interface Choice extends Resource {
  readonly name: string;
}

interface Props {
  readonly value: readonly Resource[];
  readonly onChange: (resources: Resource[]) => void;
  /** Whether the application has the scopes itself, not for users. */
  readonly isMachine: boolean;
  readonly isReadOnly?: boolean;
}

/** Selects the APIs for which an application can get access tokens, with the scopes. */
export function ResourcesField({ value, onChange, isMachine, isReadOnly = false }: Props) {
  const choices = useChoices(value, isMachine);
  const select = (identifier: string, scopes: string[]) =>
    onChange([...value.filter((each) => each.identifier !== identifier), ...(scopes.length > 0 ? [{ identifier, scopes }] : [])]);
  return (
    <Stack gap="sm" role="group" aria-label={t('applications.resources')}>
      <div>
        <Text fw={600} size="sm">
          {t('applications.resources')}
        </Text>
        <Text size="xs" c="dimmed">
          {isMachine ? t('applications.resourcesOfMachineHint') : t('applications.resourcesHint')}
        </Text>
      </div>
      {choices.map(({ identifier, name, scopes }) => (
        <MultiSelect
          key={identifier}
          label={name}
          description={identifier}
          data={scopes}
          searchable
          filter={filterOptions}
          clearable
          clearButtonProps={{ 'aria-label': t('common.clear') }}
          disabled={isReadOnly}
          value={value.find((each) => each.identifier === identifier)?.scopes ?? []}
          onChange={(selected) => select(identifier, selected)}
        />
      ))}
    </Stack>
  );
}

/** Returns the API of this service, the APIs of the organization, and APIs of ancestors that the application already uses. */
function useChoices(value: readonly Resource[], isMachine: boolean): readonly Choice[] {
  const org = useOrganizationId();
  const { data: permissions = [] } = useQuery(servicePermissionsQuery);
  const { data: apis } = useQuery({ ...apiChoicesQuery(org), enabled: useHasPermission('oauth_resources:read') });
  const known: Choice[] = [
    ...(apis?.data ?? []).map(({ identifier, name, scopes }) => ({
      identifier,
      name,
      scopes: scopes.map((scope) => scope.name),
    })),
    {
      identifier: baseUrl,
      name: t('applications.ownApi'),
      scopes: [...permissions.map((permission) => permission.name), ...(isMachine ? RECEIVER_SCOPES : [])],
    },
  ];
  const others = value.filter(({ identifier }) => known.every((each) => each.identifier !== identifier));
  return [...known, ...others.map((each) => ({ ...each, name: each.identifier }))];
}
