import { api, unwrap } from '../../api/client';
import type { Challenge } from './challenge';
import type { SignInOutcome } from './credentials-step';
import { SecondFactorStep } from './second-factor-step';

interface Props {
  readonly challenge: Challenge;
  readonly onVerified: (outcome: SignInOutcome) => void;
  readonly onExpired: (reason: unknown) => void;
  readonly onRestart: () => void;
}

export function SignInSecondFactor(props: Props) {
  return <SecondFactorStep {...props} verify={async (body) => (await unwrap(api.POST('/v1/auth/mfa/verify', { body }))).data} />;
}
