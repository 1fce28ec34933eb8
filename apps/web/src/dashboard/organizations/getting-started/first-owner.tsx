import { Button, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, unwrap } from '../../../api/client';
import { formErrors } from '../../../api/form-errors';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';

interface Props {
  readonly organization: { readonly id: string; readonly name: string };
  readonly onInvited: (email: string) => void;
}

/** The second step: invites the owner of the organization. */
export function FirstOwner({ organization: { id: org, name }, onInvited }: Props) {
  const form = useForm({ initialValues: { email: '', firstName: '', lastName: '' } });
  const change = useApiMutation({
    mutationFn: async ({ email, firstName, lastName }: typeof form.values) => {
      const body = {
        email,
        ...(firstName && { firstName }),
        ...(lastName && { lastName }),
        roles: ['role_owner'],
        sendInvitation: true,
      };
      return (await unwrap(api.POST('/v1/organizations/{org}/users', { params: { path: { org } }, body }))).data;
    },
    invalidates: [['organizations'], ['users']],
    onSuccess: ({ email }) => onInvited(email),
  });
  const { fields, rest } = formErrors(change.error, ['email', 'firstName', 'lastName']);
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <Stack>
        <Title order={2} className="breakable">
          {t('gettingStarted.owner.heading', { organization: name })}
        </Title>
        <Text>{t('gettingStarted.owner.explained')}</Text>
        <TextInput
          type="email"
          label={t('gettingStarted.owner.email')}
          required
          maxLength={254}
          autoFocus
          {...form.getInputProps('email')}
          error={fields['email']}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t('gettingStarted.owner.firstName')}
            maxLength={100}
            {...form.getInputProps('firstName')}
            error={fields['firstName']}
          />
          <TextInput
            label={t('gettingStarted.owner.lastName')}
            maxLength={100}
            {...form.getInputProps('lastName')}
            error={fields['lastName']}
          />
        </SimpleGrid>
        {rest !== undefined && <ErrorNotice error={rest} />}
        <Button type="submit" loading={change.isPending}>
          {t('gettingStarted.owner.next')}
        </Button>
      </Stack>
    </form>
  );
}
