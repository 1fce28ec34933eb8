import { Alert, Checkbox, Stack, Table, Text } from '@mantine/core';
import { LockIcon } from '@primer/octicons-react';
import { findText, t } from '../../texts';
import { ScrollTable } from '../../ui/scroll-table';
import { covers } from '../permissions';
import { MatrixCell } from './matrix-cell';
import {
  resourceWildcard,
  ALL_PERMISSIONS,
  permissionGrid,
  type Permission,
  resourceName,
  resourceOf,
} from './permission-patterns';

interface Props {
  readonly servicePermissions: readonly Permission[];
  /** The selected permissions and patterns. */
  readonly value: readonly string[];
  /** Called with the new selection. Absent in a read-only matrix. */
  readonly onChange?: (value: string[]) => void;
  /** Returns whether the caller can grant a permission. Permissions that the caller can't grant are locked. */
  readonly canChoose?: (permission: string) => boolean;
}

/** Shows or edits permissions of the service as a matrix of resources and actions. */
export function PermissionMatrix({ servicePermissions, value, onChange, canChoose = () => true }: Props) {
  const { resources, actions } = permissionGrid(servicePermissions);
  const toggle = (permission: string, isOn: boolean) => onChange?.(withToggled(value, permission, isOn));
  const cell = (permission: string, label: string, description?: string) => (
    <MatrixCell
      label={label}
      description={description}
      isHeld={value.includes(permission)}
      coveredBy={coveringPattern(value, permission)}
      isLocked={!canChoose(permission)}
      onToggle={onChange && ((isOn) => toggle(permission, isOn))}
    />
  );
  const hasLocks = onChange !== undefined && servicePermissions.some(({ name }) => !canChoose(name));

  return (
    <Stack gap="sm">
      {onChange && (
        <AllPermissions
          isChecked={value.includes(ALL_PERMISSIONS)}
          isLocked={!canChoose(ALL_PERMISSIONS)}
          onChange={(isOn) => toggle(ALL_PERMISSIONS, isOn)}
        />
      )}
      {hasLocks && (
        <Alert variant="light" color="gray" icon={<LockIcon size={16} />} py="xs">
          <Text size="sm">{t('permissionMatrix.lackingNote')}</Text>
        </Alert>
      )}
      <ScrollTable label={t('permissionMatrix.label')} verticalSpacing={6} miw={640}>
        <MatrixHead actions={actions} />
        <Table.Tbody>
          {resources.map((resource) => (
            <Table.Tr key={resource}>
              <Table.Th scope="row" fw={500}>
                {resourceName(resource)}
              </Table.Th>
              <Table.Td ta="center">
                {cell(resourceWildcard(resource), t('permissionMatrix.allOf', { resource: resourceName(resource) }))}
              </Table.Td>
              {actions.map((action) => {
                const definition = servicePermissions.find(({ name }) => name === `${resource}:${action}`);
                return (
                  <Table.Td key={action} ta="center">
                    {definition &&
                      cell(definition.name, `${resourceName(resource)}: ${actionName(action)}`, definition.description)}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    </Stack>
  );
}

function MatrixHead({ actions }: { actions: readonly string[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th w="28%">{t('permissionMatrix.resource')}</Table.Th>
        {[t('permissionMatrix.all'), ...actions.map(actionName)].map((heading) => (
          <Table.Th key={heading} ta="center">
            {heading}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

interface AllPermissionsProps {
  readonly isChecked: boolean;
  readonly isLocked: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function AllPermissions({ isChecked, isLocked, onChange }: AllPermissionsProps) {
  return (
    <Checkbox
      label={t('permissionMatrix.everything')}
      description={
        isLocked
          ? `${t('permissionMatrix.everythingHint')} ${t('permissionMatrix.lacking')}`
          : t('permissionMatrix.everythingHint')
      }
      checked={isChecked}
      disabled={isLocked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

const actionName = (action: string): string => findText(`permissionMatrix.actions.${action}`) ?? action;

/** Returns the pattern in `selected` that already includes the permission. */
function coveringPattern(selected: readonly string[], permission: string): string | undefined {
  return [ALL_PERMISSIONS, resourceWildcard(resourceOf(permission))].find(
    (pattern) =>
      pattern !== permission && selected.includes(pattern) && (permission.endsWith(':*') || covers([pattern], permission)),
  );
}

/** Adds or removes a permission. An added pattern replaces the permissions that it covers. */
function withToggled(permissions: readonly string[], permission: string, isOn: boolean): string[] {
  const isReplaced = (each: string) =>
    permission === ALL_PERMISSIONS || (permission === resourceWildcard(resourceOf(permission)) && covers([permission], each));
  const rest = permissions.filter((each) => each !== permission && !(isOn && isReplaced(each)));
  return isOn ? [...rest, permission] : rest;
}
