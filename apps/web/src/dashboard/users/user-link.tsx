import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export function UserLink({ org, id, name, email }: { org: string; id: string; name: string; email: string }) {
  return (
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
  );
}
