import { Anchor, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { useState } from 'react';
import type { Schema } from '../api/client';
import { t } from '../texts';
import classes from './application-identity.module.css';

const LINKS = ['homePageUri', 'termsUri', 'privacyUri'] as const;

/** Shows the name of an application, and who provides it. */
export function ApplicationIdentity({ application }: { application: Schema<'OauthApplicationResponse'> }) {
  const { name } = application;
  return (
    <Group wrap="nowrap" align="flex-start">
      <ApplicationLogo application={application} />
      <Stack gap={2}>
        <Text fw={600} className="breakable">
          {name}
        </Text>
        <Text size="sm" c="dimmed" className="breakable">
          {providerText(application)}
        </Text>
        <ApplicationLinks application={application} />
      </Stack>
    </Group>
  );
}

/** Anybody can choose the name of an application that describes or registers itself. */
function providerText({ organizationName, registration, metadataHost }: Schema<'OauthApplicationResponse'>): string {
  if (registration === 'dynamic') return t('signIn.authorize.registeredItself');
  if (registration === 'metadata_document') return t('signIn.authorize.describedAt', { host: metadataHost ?? '' });
  return organizationName === null
    ? t('signIn.authorize.ofPlatform')
    : t('signIn.authorize.ofOrganization', { organization: organizationName });
}

/** Shows the logo from this service, so that the host of the logo learns nothing about the user. */
function ApplicationLogo({ application: { id, name, hasLogo } }: { application: Schema<'OauthApplicationResponse'> }) {
  const [isBroken, setBroken] = useState(false);
  if (hasLogo && !isBroken) {
    const source = `/v1/auth/application-logos/${encodeURIComponent(id)}`;
    return <img className={classes.logo} src={source} alt="" width={44} height={44} onError={() => setBroken(true)} />;
  }
  return (
    <ThemeIcon variant="light" size={44} radius="md" fz="1.2rem" fw={700} aria-hidden>
      {[...name][0]?.toUpperCase()}
    </ThemeIcon>
  );
}

function ApplicationLinks({ application }: { application: Schema<'OauthApplicationResponse'> }) {
  const links = LINKS.filter((link) => application[link] !== null);
  if (links.length === 0) return null;
  return (
    <Group gap="0.2rem 0.75rem">
      {links.map((link) => (
        <Anchor key={link} href={application[link]!} target="_blank" rel="noreferrer" size="sm" underline="always">
          {t(`signIn.authorize.links.${link}`)}
        </Anchor>
      ))}
    </Group>
  );
}
