import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core';
import { BookIcon, BroadcastIcon, PersonIcon, SignOutIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { baseUrl } from '../../api/base-url';
import { sessionQuery } from '../../app/session';
import { t } from '../../texts';
import { signOut } from './sign-out';

export function AccountMenu() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton aria-label={t('common.account')}>
          {/* Without initials: they would be text that the name of the button does not contain. */}
          <Avatar
            src={session?.user?.picture ? `${baseUrl}/v1/auth/me/picture` : undefined}
            alt=""
            color="indigo"
            radius="xl"
            size={32}
          />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Text size="sm" px="sm" py={4} className="breakable">
          {session?.user?.email ?? session?.name}
        </Text>
        <Menu.Divider />
        {session?.kind === 'user' && (
          <Menu.Item component="a" href="/account" leftSection={<PersonIcon size={16} />}>
            {t('common.account')}
          </Menu.Item>
        )}
        {session?.kind === 'operator' && (
          <Menu.Item component={Link} to="/dashboard/event-subscribers" leftSection={<BroadcastIcon size={16} />}>
            {t('eventSubscribers.title')}
          </Menu.Item>
        )}
        <Menu.Item component="a" href="/docs" leftSection={<BookIcon size={16} />}>
          {t('common.documentation')}
        </Menu.Item>
        <Menu.Item leftSection={<SignOutIcon size={16} />} onClick={() => void signOut(session)}>
          {t('common.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
