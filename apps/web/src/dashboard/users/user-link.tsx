import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PersonAvatar } from '../../ui/person-avatar';

interface Props {
  readonly org: string;
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Links to a user, with initials: lists don't contain pictures. */
export function UserLink({ org, id, name, email }: Props) {
  return (
    <Group gap="sm" wrap="nowrap">
      <PersonAvatar name={name} size={26} />
      <Stack gap={0} maw={340} miw={170}>
        <Anchor component={Link} to={`/dashboard/organizations/${org}/users/${id}`} className="breakable" fw={500} size="sm">
          {name}
        </Anchor>
        {name !== email && (
          <Text size="xs" c="dimmed" className="breakable">
            {email}
          </Text>
        )}
      </Stack>
    </Group>
  );
}
