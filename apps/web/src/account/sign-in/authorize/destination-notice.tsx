import { Group, Text } from '@mantine/core';
import { AlertIcon, VerifiedIcon } from '@primer/octicons-react';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

interface DomainProps {
  readonly application: Schema<'OauthApplicationResponse'>;
  /** The host of the application, or null for a program on a device. */
  readonly host: string | null;
  readonly verifiedDomain: string | null;
}

/** Says whether the organization of the application has proved that the address of the application is its own. */
export function DomainNotice({ application, host, verifiedDomain }: DomainProps) {
  const { organizationName: organization } = application;
  if (organization === null) return null;
  const Icon = verifiedDomain === null ? AlertIcon : VerifiedIcon;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Icon size={16} />
      <Text size="sm" className="breakable">
        {verifiedDomain === null
          ? unverifiedText(organization, host)
          : t('signIn.authorize.verified', { domain: verifiedDomain })}
      </Text>
    </Group>
  );
}

const isOnDevice = (host: string): boolean => host.endsWith(':') || LOOPBACK_HOSTS.has(host);

const unverifiedText = (organization: string, host: string | null): string =>
  host === null || isOnDevice(host)
    ? t('signIn.authorize.unverifiedDevice')
    : t('signIn.authorize.unverified', { organization, host });

/** Says where the browser goes after the answer. */
export const destinationText = (host: string): string =>
  isOnDevice(host) ? t('signIn.authorize.destinationDevice') : t('signIn.authorize.destination', { host });
