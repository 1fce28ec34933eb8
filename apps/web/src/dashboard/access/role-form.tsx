import { Button, Group, Skeleton, Stack, TagsInput, Textarea, TextInput, Title } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { formErrors } from '../../api/form-errors';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { useOrganizationId } from '../organization';
import { permissionsQuery } from '../permissions';
import { PermissionMatrix } from './permission-matrix';
import { isServicePermission, canGrant, PERMISSION_OR_PATTERN, type Permission } from './permission-patterns';
import { servicePermissionsQuery } from './role-queries';
import { useUnsavedChanges } from '../../ui/unsaved-changes';

export interface RoleFields {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly string[];
}

interface Props {
  readonly initial: RoleFields;
  readonly submitLabel: string;
  readonly change: { isPending: boolean; error: unknown; mutate: (fields: RoleFields) => void };
  readonly onCancel: () => void;
}

export function RoleForm(props: Props) {
  const { data: servicePermissions, error } = useQuery(servicePermissionsQuery);
  const { data: ownPermissions } = useQuery(permissionsQuery(useOrganizationId()));
  if (error) return <ErrorNotice error={error} />;
  if (!servicePermissions || !ownPermissions) return <Skeleton h={480} />;
  return <RoleFieldsForm {...props} servicePermissions={servicePermissions} ownPermissions={ownPermissions} />;
}

interface FormValues {
  readonly name: string;
  readonly description: string;
  readonly service: string[];
  /** Permissions that other applications check. */
  readonly own: string[];
}

function RoleFieldsForm({
  initial,
  submitLabel,
  change,
  onCancel,
  servicePermissions,
  ownPermissions,
}: Props & { servicePermissions: readonly Permission[]; ownPermissions: readonly string[] }) {
  const form = useForm<FormValues>({
    initialValues: {
      name: initial.name,
      description: initial.description,
      service: initial.permissions.filter((each) => isServicePermission(each, servicePermissions)),
      own: initial.permissions.filter((each) => !isServicePermission(each, servicePermissions)),
    },
    validate: { own: (own) => validateCustomPermissions(own, servicePermissions) },
  });
  useUnsavedChanges(form.isDirty());
  const { fields, rest } = formErrors(change.error, ['name', 'description']);
  const taken = change.error instanceof ApiProblem && change.error.code === 'role_name_taken' ? change.error : undefined;
  return (
    <form
      onSubmit={form.onSubmit(({ name, description, service, own }) =>
        change.mutate({ name: name.trim(), description: description.trim(), permissions: [...service, ...own] }),
      )}
    >
      <Stack gap="lg" maw={900}>
        <DescriptionFields form={form} nameError={taken?.message ?? fields['name']} descriptionError={fields['description']} />
        <Stack gap="sm">
          <Title order={2}>{t('roles.permissions')}</Title>
          <PermissionMatrix
            servicePermissions={servicePermissions}
            value={form.values.service}
            onChange={(service) => form.setFieldValue('service', service)}
            canChoose={(each) => initial.permissions.includes(each) || canGrant(ownPermissions, each, servicePermissions)}
          />
        </Stack>
        <TagsInput
          label={t('roles.own')}
          description={t('roles.ownHint')}
          placeholder={t('roles.ownPlaceholder')}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          clearable
          clearButtonProps={{ 'aria-label': t('common.remove') }}
          {...form.getInputProps('own')}
        />
        {rest !== undefined && !taken && <ErrorNotice error={rest} />}
        <Group>
          <Button type="submit" loading={change.isPending}>
            {submitLabel}
          </Button>
          <Button variant="default" onClick={onCancel} disabled={change.isPending}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface DescriptionProps {
  readonly form: UseFormReturnType<FormValues>;
  readonly nameError: string | undefined;
  readonly descriptionError: string | undefined;
}

function DescriptionFields({ form, nameError, descriptionError }: DescriptionProps) {
  return (
    <>
      <TextInput
        label={t('roles.name')}
        description={t('roles.nameHint')}
        required
        maxLength={100}
        maw={480}
        data-autofocus
        {...form.getInputProps('name')}
        error={nameError}
      />
      <Textarea
        label={t('roles.about')}
        maxLength={500}
        autosize
        minRows={2}
        maw={640}
        {...form.getInputProps('description')}
        error={descriptionError}
      />
    </>
  );
}

function validateCustomPermissions(own: readonly string[], servicePermissions: readonly Permission[]): string | null {
  const ofService = own.filter((each) => isServicePermission(each, servicePermissions));
  if (ofService.length > 0) return t('roles.ownIsService', { names: ofService.join(', ') });
  const malformed = own.filter((each) => !PERMISSION_OR_PATTERN.test(each));
  return malformed.length > 0 ? t('roles.ownInvalid', { names: malformed.join(', ') }) : null;
}
