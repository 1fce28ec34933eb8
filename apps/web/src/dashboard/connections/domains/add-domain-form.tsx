import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { unwrap } from '../../../api/client';
import { formErrors } from '../../../api/form-errors';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { type DomainScope, domainsKey } from './domain-queries';

/** Adds a domain. The list below shows its DNS record. */
export function AddDomainForm({ client, org }: DomainScope) {
  const [name, setName] = useState('');
  const add = useApiMutation({
    mutationFn: async (name: string) =>
      (await unwrap(client.POST('/v1/organizations/{org}/domains', { params: { path: { org } }, body: { name } }))).data,
    invalidates: [domainsKey(org)],
    onSuccess: () => setName(''),
  });
  const { fields, rest } = formErrors(add.error, ['name']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={640}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t('domains.name')}
            description={t('domains.nameHint')}
            placeholder="example.com"
            required
            maxLength={253}
            autoComplete="off"
            flex="1 1 16rem"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={add.isPending}>
            {t('domains.add')}
          </Button>
        </Group>
        {fields['name'] !== undefined && <ErrorNotice error={add.error} />}
        {rest !== undefined && fields['name'] === undefined && <ErrorNotice error={rest} />}
      </Stack>
    </form>
  );
}
