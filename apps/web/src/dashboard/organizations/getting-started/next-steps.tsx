import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';

interface Props {
  readonly organization: { readonly id: string; readonly slug: string };
  readonly ownerEmail: string;
}

/** The last step: shows the address of the invitation and the next steps. */
export function NextSteps({ organization: { id, slug }, ownerEmail }: Props) {
  const mailbox = `/dev/mailbox?to=${encodeURIComponent(ownerEmail)}`;
  const { data: hasMailbox } = useQuery({ queryKey: ['has-mailbox'], queryFn: hasDevelopmentMailbox, staleTime: Infinity });
  const signIn = async () => {
    await unwrap(api.POST('/v1/auth/logout'));
    window.location.assign(`/account/sign-in?organization=${slug}`);
  };
  return (
    <Stack>
      <Title order={2} tabIndex={-1} ref={(heading) => heading?.focus()}>
        {t('gettingStarted.done.heading')}
      </Title>
      <Text className="breakable">{t('gettingStarted.done.sent', { email: ownerEmail })}</Text>
      {hasMailbox && (
        <Text>
          {t('gettingStarted.done.mailbox')}{' '}
          <Anchor href={mailbox} target="_blank" rel="noreferrer" underline="always">
            {t('gettingStarted.done.openMailbox')}
          </Anchor>
        </Text>
      )}
      <Text>{t('gettingStarted.done.next')}</Text>
      <Group>
        <Button onClick={() => void signIn()}>{t('gettingStarted.done.signIn')}</Button>
        <Button variant="default" component={Link} to={`/dashboard/organizations/${id}`}>
          {t('gettingStarted.done.dashboard')}
        </Button>
      </Group>
    </Stack>
  );
}

const hasDevelopmentMailbox = async (): Promise<boolean> => (await fetch('/dev/mailbox.json', { method: 'HEAD' })).ok;
