import { MultiSelect, Progress, Stack, Text, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { dialogs } from '../../../ui/dialogs';
import { useHasPermissions } from '../../permissions';
import { membersKey, rolesQuery, usersKey } from '../user-queries';
import { BulkResults } from './bulk-results';
import { type BatchResults, runBatch } from './run-batch';

export function openInviteDialog(org: string): void {
  const dialogId = dialogs.open({
    title: t('users.invite.title'),
    size: 'lg',
    children: <InviteForm org={org} onClose={() => dialogs.close(dialogId)} />,
  });
}

/** Returns the email addresses in a pasted text, such as lines, a column of a spreadsheet, or `Ada <ada@example.com>; …`. Each once. */
function addressesIn(text: string): string[] {
  const parts = text.split(/[\n,;\t]+/).map((part) => /<([^<>]*)>/.exec(part)?.[1] ?? part);
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
}

function InviteForm({ org, onClose }: { org: string; onClose: () => void }) {
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [roles, setRoles] = useState<string[]>([]);
  const [results, setResults] = useState<BatchResults>();
  const [isRunning, setRunning] = useState(false);
  const addresses = addressesIn(text);
  const run = async (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    await runBatch(
      addresses.map((id) => ({ id, org })),
      (to, emails, key) =>
        unwrap(
          api.POST('/v1/organizations/{org}/users/batch/invite', {
            params: { path: { org: to }, header: { 'Idempotency-Key': key } },
            body: { emails, ...(roles.length > 0 ? { roles } : {}) },
          }),
        ),
      setResults,
    );
    setRunning(false);
    const changed = [usersKey(org), membersKey(org), ['organization', org]];
    await Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  if (results && !isRunning) {
    const items = addresses.map((address) => ({ id: address, name: address }));
    return <BulkResults items={items} results={results} onClose={onClose} />;
  }
  return (
    <form onSubmit={(event) => void run(event)}>
      <Stack>
        <Text size="sm">{t('users.invite.text')}</Text>
        <Textarea
          label={t('users.invite.addresses')}
          description={t('users.invite.addressesHint')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={5}
          maxRows={12}
          required
          data-autofocus
        />
        <RolesField org={org} value={roles} onChange={setRoles} />
        {isRunning && <Progress value={100} striped animated aria-label={t('users.bulk.running')} />}
        <DialogButtons
          submitLabel={t('users.invite.submit', { count: addresses.length })}
          isPending={isRunning}
          isDisabled={addresses.length === 0}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

/** Renders nothing when the caller can't read and assign roles. */
function RolesField({ org, ...input }: { org: string; value: string[]; onChange: (roles: string[]) => void }) {
  const canAssign = useHasPermissions(['roles:read', 'members:write']);
  const { data: roles = [] } = useQuery({ ...rolesQuery(org), enabled: canAssign });
  if (!canAssign) return null;
  return (
    <MultiSelect
      label={t('users.fields.roles')}
      description={t('users.fields.rolesHint')}
      data={roles.map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      clearable
      comboboxProps={{ withinPortal: false }}
      {...input}
    />
  );
}
