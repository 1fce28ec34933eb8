import { BooleanField, TextField } from '#platform/http';

export class ResumeEventSubscriberRequest {
  @TextField({
    description: 'Id of the root organization for which the event subscriber is stopped.',
    required: true,
    maxLength: 40,
    example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  organizationId!: string;

  @BooleanField({
    description: 'Whether to continue after the event that failed. By default, the event subscriber gets this event again.',
    example: false,
  })
  skipEvent?: boolean;
}
