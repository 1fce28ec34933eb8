import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf, api, type Schema } from '../../../api/client';
import { fieldProblems } from '../../../api/field-problems';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useChange } from '../../../ui/use-change';

/** The first step: creates the first organization. */
export function FirstOrganization({ onMade }: { onMade: (made: Schema<'CreatedOrganizationResponse'>) => void }) {
  const form = useForm({ initialValues: { name: '', slug: '' } });
  const existing = useQuery({
    queryKey: ['organizations', 'any'],
    queryFn: async () => (await answerOf(api.GET('/v1/organizations', { params: { query: { limit: 1 } } }))).pagination.total,
  });
  const change = useChange({
    run: async ({ name, slug }: typeof form.values) =>
      (await answerOf(api.POST('/v1/organizations', { body: { name, ...(slug && { slug }) } }))).data,
    outdates: [['organizations']],
    onDone: onMade,
  });
  const { fields, rest } = fieldProblems(change.error, ['name', 'slug']);
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <Stack>
        <Title order={2}>{t('firstHour.organization.heading')}</Title>
        <Text>{t('firstHour.organization.explained')}</Text>
        {existing.data !== undefined && existing.data > 0 && (
          <Alert>
            {t('firstHour.organization.existing')}{' '}
            <Anchor component={Link} to="/dashboard" underline="always" inherit>
              {t('firstHour.organization.goToDashboard')}
            </Anchor>
          </Alert>
        )}
        <TextInput
          label={t('firstHour.organization.name')}
          placeholder={t('firstHour.organization.placeholder')}
          required
          maxLength={200}
          autoFocus
          {...form.getInputProps('name')}
          error={fields['name']}
        />
        <TextInput
          label={t('firstHour.organization.slug')}
          description={t('firstHour.organization.slugHelp')}
          maxLength={63}
          {...form.getInputProps('slug')}
          error={fields['slug']}
        />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <Button type="submit" loading={change.isPending}>
          {t('firstHour.organization.next')}
        </Button>
      </Stack>
    </form>
  );
}
