import { SETUP_STEPS, type SetupStep } from '#platform/common';
import { ExactTextField, IntegerField, TextListField } from '#platform/http';

const DAY_SECONDS = 24 * 60 * 60;
export const DEFAULT_LIFETIME_SECONDS = 7 * DAY_SECONDS;

/** The fields of a new setup link. */
export class CreateSetupLinkRequest {
  @TextListField({
    description:
      'What the link can set up. `domain`: domains. `sso`: identity providers. `scim`: SCIM connections and their tokens. `webhook`: webhooks. The caller must have the permissions of the steps: `domains:read` and `domains:write` for `domain`, all permissions for `sso` and `scim`, and `webhooks:read`, `webhooks:write` and `events:read` for `webhook`.',
    required: true,
    minItems: 1,
    item: { maxLength: 20 },
    choices: SETUP_STEPS,
    example: ['domain', 'sso'],
  })
  steps!: SetupStep[];

  @IntegerField({
    description: 'Number of seconds after which the link expires. The default is 7 days.',
    min: 300,
    max: 30 * DAY_SECONDS,
    example: DEFAULT_LIFETIME_SECONDS,
  })
  expiresInSeconds?: number;
}

export class OpenSetupLinkRequest {
  @ExactTextField({
    description: 'Token from the fragment of the setup link.',
    required: true,
    maxLength: 100,
    example: 'setup.kH3v9QxT0bLr2mYc7WnZp5sEaJf8UgDi1oRtKqXy4Vw',
  })
  token!: string;
}
