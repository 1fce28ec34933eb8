import { Alert, Button, ColorInput, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { api, unwrap } from '../../../api/client';
import { formErrors } from '../../../api/form-errors';
import { t } from '../../../texts';
import { contrastOf, isColor, PRODUCT_COLOR, textColorOn, WHITE } from '../../../ui/color';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useAsOf } from '../../as-of/use-as-of';
import { useHasPermission } from '../../permissions';
import type { VersionedOrganization } from '../versioned-organization';
import { BrandingPreview } from './branding-preview';
import { useUnsavedChanges } from '../../../ui/unsaved-changes';

/** The minimum contrast of user interface components (WCAG 2.2, 1.4.11). */
const CONTRAST_MIN = 3;
const SWATCHES = ['#1f4fd8', '#0b7285', '#2b8a3e', '#862e9c', '#c92a2a', '#d9480f', '#343a40'];

interface BrandingValues {
  readonly primaryColor: string;
  readonly logo: string;
  readonly favicon: string;
}

export function BrandingForm({ versioned }: { versioned: VersionedOrganization }) {
  const { organization } = versioned;
  const { branding, status } = organization;
  const canWrite = useHasPermission('organizations:write');
  const isPast = useAsOf().asOf !== undefined;
  const canChange = canWrite && status === 'active' && !isPast;
  const form = useForm<BrandingValues>({
    initialValues: {
      primaryColor: branding.primaryColor ?? '',
      logo: branding.logo ?? '',
      favicon: branding.favicon ?? '',
    },
    validate: { primaryColor: (color) => (color === '' || isColor(color) ? null : t('branding.invalidColor')) },
  });
  useUnsavedChanges(form.isDirty());
  const change = useBrandingUpdate(versioned);
  const { fields, rest } = formErrors(change.error, ['branding.primaryColor', 'branding.logo', 'branding.favicon']);
  const { primaryColor, logo } = form.values;
  const color = isColor(primaryColor) ? primaryColor : PRODUCT_COLOR;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <Paper withBorder p="md">
        <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
          <Stack>
            <Text size="sm" c="dimmed">
              {t('branding.explained')}
            </Text>
            {!canWrite && !isPast && <Alert color="gray">{t('settings.readOnly')}</Alert>}
            {canWrite && !canChange && !isPast && <Alert color="orange">{t('settings.suspended')}</Alert>}
            <ColorField form={form} isReadOnly={!canChange} error={fields['branding.primaryColor']} color={color} />
            {(['logo', 'favicon'] as const).map((name) => (
              <TextInput
                key={name}
                type="url"
                label={t(`branding.${name}`)}
                description={t(`branding.${name}Help`)}
                maxLength={2048}
                disabled={!canChange}
                {...form.getInputProps(name)}
                error={fields[`branding.${name}`]}
              />
            ))}
            {rest !== undefined && <ErrorNotice error={rest} />}
            {!isPast && (
              <Group justify="flex-end">
                <Button type="submit" disabled={!canChange || !form.isDirty()} loading={change.isPending}>
                  {t('common.save')}
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Paper>
      {/* The service serves only the present logo. */}
      {!isPast && <BrandingPreview organization={organization} color={color} logo={logo} />}
    </SimpleGrid>
  );
}

function useBrandingUpdate({ organization, etag }: VersionedOrganization) {
  return useApiMutation({
    mutationFn: ({ primaryColor, logo, favicon }: BrandingValues) =>
      unwrap(
        api.PATCH('/v1/organizations/{org}', {
          params: { path: { org: organization.id }, header: { 'If-Match': etag } },
          body: { branding: { primaryColor: primaryColor || null, logo: logo || null, favicon: favicon || null } },
        }),
      ),
    invalidates: [['organization']],
    successMessage: t('common.saved'),
  });
}

interface ColorFieldProps {
  readonly form: UseFormReturnType<BrandingValues>;
  readonly isReadOnly: boolean;
  readonly error: string | undefined;
  /** The entered color, or the default color. */
  readonly color: string;
}

function ColorField({ form, isReadOnly, error, color }: ColorFieldProps) {
  return (
    <>
      <ColorInput
        label={t('branding.primaryColor')}
        description={t('branding.primaryColorHelp')}
        placeholder={PRODUCT_COLOR}
        format="hex"
        swatches={SWATCHES}
        disabled={isReadOnly}
        eyeDropperButtonProps={{ 'aria-label': t('branding.primaryColor') }}
        {...form.getInputProps('primaryColor')}
        error={form.errors['primaryColor'] ?? error}
      />
      <Contrast color={color} />
    </>
  );
}

function Contrast({ color }: { color: string }) {
  const onPage = contrastOf(color, WHITE);
  if (onPage < CONTRAST_MIN) {
    return (
      <Alert color="orange" role="status">
        {t('branding.contrastLow', { ratio: onPage.toFixed(1) })}
      </Alert>
    );
  }
  return (
    <Text size="sm" c="dimmed" role="status">
      {t('branding.contrastFine', { ratio: contrastOf(color, textColorOn(color)).toFixed(1) })}
    </Text>
  );
}
