import { Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, unwrap } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { queryClient } from '../../app/query-client';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { isOutdated, OutdatedNotice } from '../../ui/outdated-notice';
import { useApiMutation } from '../../ui/use-api-mutation';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { AddressFields } from './address-fields';
import { applicationsKey, type Application } from './application-queries';
import { type ApplicationValues, FIELDS_WITH_ERRORS, updateOf, valuesOf } from './application-values';
import { DeleteSection } from './delete-section';
import { ResourcesField } from './resources-field';
import { AppearanceFields, GrantFields, LogoutFields, SecurityFields, UserFields } from './settings-fields';
import { useApplication } from './use-application';
import { useUnsavedChanges } from '../../ui/unsaved-changes';

export function SettingsTab() {
  const { application, etag } = useApplication();
  const canWrite = useHasPermission('oauth_clients:write');
  return (
    <Stack gap="xl" maw={640}>
      {/* The key resets the form to the saved values. */}
      <SettingsForm key={etag} application={application} etag={etag} isReadOnly={!canWrite} />
      {canWrite && <Deletion application={application} />}
    </Stack>
  );
}

interface FormProps {
  readonly application: Application;
  readonly etag: string;
  readonly isReadOnly: boolean;
}

function SettingsForm({ application, etag, isReadOnly }: FormProps) {
  const org = useOrganizationId();
  const form = useForm<ApplicationValues>({ initialValues: valuesOf(application) });
  useUnsavedChanges(form.isDirty());
  const save = useSave(application, etag);
  const { fields: errors, rest } = formErrors(isOutdated(save.error) ? null : save.error, FIELDS_WITH_ERRORS);
  const shared = { form, application, errors, isReadOnly };
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack gap="xl">
        <OutdatedNotice error={save.error} queryKey={[...applicationsKey(org), application.id]} />
        <Section title={t('applications.sections.addresses')}>
          <TextInput
            label={t('applications.name')}
            required
            maxLength={100}
            disabled={isReadOnly}
            {...form.getInputProps('name')}
            error={errors['name']}
          />
          <AddressFields form={form} type={application.type} errors={errors} isReadOnly={isReadOnly} />
          <LogoutFields {...shared} />
        </Section>
        <Section title={t('applications.sections.access')}>
          <UserFields {...shared} />
          <ResourcesField
            isMachine={application.type === 'machine'}
            value={form.values.resources}
            onChange={(resources) => form.setFieldValue('resources', resources)}
            isReadOnly={isReadOnly}
          />
          <GrantFields form={form} application={application} errors={errors} isReadOnly={isReadOnly} />
        </Section>
        {application.type !== 'machine' && (
          <Section title={t('applications.sections.appearance')}>
            <AppearanceFields form={form} errors={errors} isReadOnly={isReadOnly} />
          </Section>
        )}
        <Section title={t('applications.sections.security')}>
          <SecurityFields {...shared} />
        </Section>
        {rest !== undefined && <ErrorNotice error={rest} />}
        {!isReadOnly && (
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              {t('common.save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack>
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}

function useSave(application: Application, etag: string) {
  const org = useOrganizationId();
  return useApiMutation({
    mutationFn: async (values: ApplicationValues) => {
      const params = { path: { org, id: application.id }, header: { 'If-Match': etag } };
      const body = updateOf(values, application);
      return (await unwrap(api.PATCH('/v1/organizations/{org}/oauth-clients/{id}', { params, body }))).data;
    },
    invalidates: [applicationsKey(org)],
    successMessage: t('common.saved'),
  });
}

function Deletion({ application: { id, name } }: Pick<FormProps, 'application'>) {
  const org = useOrganizationId();
  const navigate = useNavigate();
  return (
    <DeleteSection
      name={name}
      label={t('applications.delete')}
      description={t('applications.deleteText')}
      onDelete={async () => {
        await unwrap(api.DELETE('/v1/organizations/{org}/oauth-clients/{id}', { params: { path: { org, id } } }));
        await navigate({ to: `/dashboard/organizations/${org}/applications` });
        queryClient.removeQueries({ queryKey: [...applicationsKey(org), id] });
        await queryClient.invalidateQueries({ queryKey: applicationsKey(org) });
      }}
    />
  );
}
