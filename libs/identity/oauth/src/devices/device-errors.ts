import { DomainError } from '#platform/common';

/** The code is wrong or expired, was answered, or was entered by another user: 404. */
export class DeviceRequestNotFound extends DomainError {
  readonly code = 'oauth_device_request_not_found';
  readonly kind = 'not_found';
  constructor() {
    super(
      'No device waits for an answer with this code. Compare the code with the device. A code works for 10 minutes and once; for a new code, start again on the device.',
    );
  }
}

/** The organization or the device requires a newer or stronger sign-in than that of the session: 403. */
export class DeviceSignInRequired extends DomainError {
  readonly code = 'oauth_device_sign_in_required';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'The organization or the device requires a new sign-in, possibly with a second factor. Sign in again, then allow the access.',
    );
  }
}
