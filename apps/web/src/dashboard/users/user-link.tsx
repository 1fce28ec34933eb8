import { Anchor, Avatar, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

interface Props {
  readonly org: string;
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** The colors of Mantine's initials have too little contrast. */
const PLACEHOLDER = { color: 'var(--mantine-color-text)', background: 'var(--mantine-color-default-hover)' };

export function UserLink({ org, id, name, email }: Props) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar name={name} size="sm" alt="" aria-hidden styles={{ placeholder: PLACEHOLDER }} />
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
