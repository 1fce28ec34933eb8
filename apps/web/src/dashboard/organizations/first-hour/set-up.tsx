import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf, api } from '../../../api/client';
import { texts } from '../../../texts';

const words = texts.firstHour.done;

interface Props {
  readonly organization: { readonly id: string; readonly slug: string };
  readonly ownerEmail: string;
}

/** The last step: where the invitation went, and how to go on. */
export function SetUp({ organization: { id, slug }, ownerEmail }: Props) {
  const mailbox = `/dev/mailbox?to=${encodeURIComponent(ownerEmail)}`;
  const { data: hasMailbox } = useQuery({ queryKey: ['has-mailbox'], queryFn: hasDevelopmentMailbox, staleTime: Infinity });
  const signIn = async () => {
    await answerOf(api.POST('/v1/auth/logout'));
    window.location.assign(`/account/sign-in?organization=${slug}`);
  };
  return (
    <Stack>
      <Title order={2} tabIndex={-1} ref={(heading) => heading?.focus()}>
        {words.heading}
      </Title>
      <Text className="breakable">{words.sent(ownerEmail)}</Text>
      {hasMailbox && (
        <Text>
          {words.mailbox}{' '}
          <Anchor href={mailbox} target="_blank" rel="noreferrer" underline="always">
            {words.openMailbox}
          </Anchor>
        </Text>
      )}
      <Text>{words.next}</Text>
      <Group>
        <Button onClick={() => void signIn()}>{words.signIn}</Button>
        <Button variant="default" component={Link} to={`/dashboard/organizations/${id}`}>
          {words.dashboard}
        </Button>
      </Group>
    </Stack>
  );
}

/** Whether mails can be read at `/dev/mailbox`, which is so outside production. */
const hasDevelopmentMailbox = async (): Promise<boolean> => (await fetch('/dev/mailbox.json', { method: 'HEAD' })).ok;
