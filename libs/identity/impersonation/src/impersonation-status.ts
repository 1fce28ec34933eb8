import type { Impersonation, ImpersonationStatus } from './impersonation.entity.js';

/** Returns the status of an impersonation at a time. The stored status can be a few seconds behind. */
export function statusAt({ status, expiresAt, endsAt }: Impersonation, now: Date): ImpersonationStatus {
  if ((status === 'pending' || status === 'approved') && expiresAt <= now) return 'expired';
  return status === 'active' && endsAt !== null && endsAt <= now ? 'ended' : status;
}
