import { Button, Checkbox, Group, Loader, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../../api/client';
import { texts } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { exactTime } from '../../../ui/moment';
import { useChange } from '../../../ui/use-change';

const words = texts.organization.delete;
const { countOrganizations, countUsers } = texts.organizations;

interface Props {
  readonly organization: Schema<'OrganizationResponse'>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The dialog in which an organization is deleted: says what goes with it, and wants its name typed. */
export function DeleteOrganization({ organization, isOpen, onClose }: Props) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={words.title(organization.name)}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      <DeleteForm organization={organization} onCancel={onClose} />
    </Modal>
  );
}

function DeleteForm({ organization: { id, name }, onCancel }: { organization: Props['organization']; onCancel: () => void }) {
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['organization', id, 'deletion'],
    queryFn: async () => (await answerOf(api.GET('/v1/organizations/{id}/deletion', { params: { path: { id } } }))).data,
    staleTime: 0,
  });
  const [takesAll, setTakesAll] = useState(false);
  const [typed, setTyped] = useState('');
  const change = useChange({
    run: (cascade: boolean) => answerOf(api.DELETE('/v1/organizations/{id}', { params: { path: { id }, query: { cascade } } })),
    outdates: [['organizations'], ['session'], ['permissions']],
    done: words.done(name),
    onDone: () => void navigate({ to: '/dashboard', search: { tab: 'deleted' } }),
  });
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Loader aria-label={texts.common.loading} />;
  const { organizationsBelow, users, restorableUntil } = query.data;
  const below = countOrganizations(organizationsBelow);
  const hasBelow = organizationsBelow > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(hasBelow);
      }}
    >
      <Stack>
        <Text size="sm">{hasBelow ? words.cascade(below, countUsers(users)) : words.alone(countUsers(users))}</Text>
        <Text size="sm">
          {words.atOnce} {words.restorable(exactTime(restorableUntil))}
        </Text>
        {hasBelow && (
          <Checkbox
            label={words.cascadeLabel(below)}
            description={words.cascadeNeeded}
            checked={takesAll}
            onChange={(event) => setTakesAll(event.currentTarget.checked)}
          />
        )}
        <TextInput
          label={texts.common.typeToConfirm(name)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        {change.error && <ErrorNotice error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" color="red" loading={change.isPending} disabled={typed !== name || (hasBelow && !takesAll)}>
            {words.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
