import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, type Schema, unwrap } from '../../../api/client';
import { formErrors } from '../../../api/form-errors';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';

/** The first step: creates the first organization. */
export function FirstOrganization({ onCreated }: { onCreated: (created: Schema<'CreatedOrganizationResponse'>) => void }) {
  const form = useForm({ initialValues: { name: '', slug: '' } });
  const existing = useQuery({
    queryKey: ['organizations', 'any'],
    queryFn: async () => (await unwrap(api.GET('/v1/organizations', { params: { query: { limit: 1 } } }))).pagination.total,
  });
  const change = useApiMutation({
    mutationFn: async ({ name, slug }: typeof form.values) =>
      (await unwrap(api.POST('/v1/organizations', { body: { name, ...(slug && { slug }) } }))).data,
    invalidates: [['organizations']],
    onSuccess: onCreated,
  });
  const { fields, rest } = formErrors(change.error, ['name', 'slug']);
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <Stack>
        <Title order={2}>{t('gettingStarted.organization.heading')}</Title>
        <Text>{t('gettingStarted.organization.explained')}</Text>
        {existing.data !== undefined && existing.data > 0 && (
          <Alert>
            {t('gettingStarted.organization.existing')}{' '}
            <Anchor component={Link} to="/dashboard" underline="always" inherit>
              {t('gettingStarted.organization.goToDashboard')}
            </Anchor>
          </Alert>
        )}
        <TextInput
          label={t('gettingStarted.organization.name')}
          placeholder={t('gettingStarted.organization.placeholder')}
          required
          maxLength={200}
          autoFocus
          {...form.getInputProps('name')}
          error={fields['name']}
        />
        <TextInput
          label={t('gettingStarted.organization.slug')}
          description={t('gettingStarted.organization.slugHelp')}
          maxLength={63}
          {...form.getInputProps('slug')}
          error={fields['slug']}
        />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <Button type="submit" loading={change.isPending}>
          {t('gettingStarted.organization.next')}
        </Button>
      </Stack>
    </form>
  );
}
