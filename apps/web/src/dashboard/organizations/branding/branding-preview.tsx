import { Stack, Text, Title } from '@mantine/core';
import { type CSSProperties, type ReactNode, useState } from 'react';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import { textColorOn } from '../../../ui/color';
import styles from './branding.module.css';

interface Props {
  readonly organization: Schema<'OrganizationResponse'>;
  readonly color: string;
  readonly logo: string;
}

/** Previews the sign-in page and an email. */
export function BrandingPreview({ organization, color, logo }: Props) {
  const { id, name, branding } = organization;
  const brandStyle = { '--brand-color': color, '--brand-text': textColorOn(color) } as CSSProperties;
  const savedLogo = branding.logo ?? '';
  // The content security policy blocks external images; the service proxies only the saved logo.
  const previewedLogo =
    logo === '' ? null : logo === savedLogo ? (
      <Logo key={logo} address={`/v1/auth/branding/${id}/logo`} alt={name} />
    ) : (
      <Text size="sm" c="dark.4">
        {t('branding.logoUnsaved')}
      </Text>
    );
  return (
    <Stack style={brandStyle} gap="sm">
      <Title order={2} size="h3">
        {t('branding.preview')}
      </Title>
      <Sample title={t('branding.previewSignIn')}>
        {previewedLogo}
        <Text fw={650} fz="lg" className="breakable">
          {t('branding.signInTo', { name })}
        </Text>
        <div className={styles.field}>{t('branding.email')}</div>
        <div className={styles.field}>{t('branding.password')}</div>
        <div className={styles.button}>{t('branding.signIn')}</div>
      </Sample>
      <Sample title={t('branding.previewMail')}>
        {previewedLogo}
        <Text fw={650} fz="lg" className="breakable">
          {t('branding.mailHeading', { name })}
        </Text>
        <Text size="sm" className="breakable">
          {t('branding.mailText', { name })}
        </Text>
        <div className={`${styles.button} ${styles.narrow}`}>{t('branding.mailButton')}</div>
        <hr className={styles.line} />
        <Text size="xs">{t('branding.mailFooter')}</Text>
      </Sample>
    </Stack>
  );
}

/** A preview that is not interactive. */
function Sample({ title, children }: { title: string; children: ReactNode }) {
  return (
    <figure className={styles.figure}>
      <Text component="figcaption" size="sm" c="dimmed" mb={4}>
        {title}
      </Text>
      <div className={styles.sheet}>{children}</div>
    </figure>
  );
}

function Logo({ address, alt }: { address: string; alt: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <Text size="sm">{t('branding.logoBroken')}</Text>;
  return <img src={address} alt={alt} className={styles.logo} onError={() => setBroken(true)} />;
}
