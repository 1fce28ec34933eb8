import { Box, Stack, Text, Title } from '@mantine/core';
import { useComputedColorScheme } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Schema } from '../../api/client';
import { t } from '../../texts';
import { ColorSchemeSwitch } from '../../ui/color-scheme-switch';
import { Wordmark } from '../../ui/wordmark';
import { useApplication } from './application';
import { CancelSignIn } from './cancel-sign-in';
import { type BrandColors, brandColors } from './brand-colors';
import { brandVariables, OrganizationLogo } from './organization-logo';
import classes from './sign-in-layout.module.css';

export type SignInOrganization = Schema<'SignInPlaceResponse'>;

/** The background of the card, as in the CSS module. */
const SURFACES = { light: '#ffffff', dark: '#2e2e2e' } as const;

const Brand = createContext<BrandColors>(brandColors(null, SURFACES.light));

export const useBrand = (): BrandColors => useContext(Brand);

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  /** The organization with the branding of the page. */
  readonly organization?: SignInOrganization | undefined;
  readonly children?: ReactNode;
}

/** The layout of the sign-in pages: one card with the branding of the organization. */
export function SignInLayout({ title, description, organization, children }: Props) {
  useDocumentTitle(`${title} · ${organization?.name ?? t('common.product')}`);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const brand = useMemo(() => brandColors(organization?.branding.primaryColor ?? null, SURFACES[scheme]), [organization, scheme]);
  return (
    <Brand value={brand}>
      <Box className={classes.page} style={brandVariables(brand)}>
        <div className={classes.top}>
          <ColorSchemeSwitch />
        </div>
        <main className={classes.middle}>
          <div className={classes.card}>
            <Stack gap="lg">
              {organization && <OrganizationLogo organization={organization} />}
              <Stack gap={4}>
                <Title order={1} className="breakable">
                  {title}
                </Title>
                <ApplicationNotice />
                {description && (
                  <Text c="dimmed" component="div" className="breakable">
                    {description}
                  </Text>
                )}
              </Stack>
              {children}
              <CancelSignIn />
            </Stack>
          </div>
        </main>
        <footer className={classes.foot}>
          <Wordmark />
        </footer>
      </Box>
    </Brand>
  );
}

/** Says to which application the user continues. */
function ApplicationNotice() {
  const application = useApplication();
  if (!application) return null;
  return (
    <Text size="lg" className="breakable">
      {t('signIn.toApplication', { application: application.name })}
    </Text>
  );
}
