import { choiceIn, pageIn, textIn } from './search-values';

export const MEMBER_STATUSES = ['active', 'pending', 'suspended'] as const;

export interface MembersSearch {
  readonly search?: string;
  readonly status?: (typeof MEMBER_STATUSES)[number];
  readonly role?: string;
  readonly page?: number;
}

export const membersSearchOf = (raw: Record<string, unknown>): MembersSearch => ({
  search: textIn(raw, 'search'),
  status: choiceIn(raw, 'status', MEMBER_STATUSES),
  role: textIn(raw, 'role'),
  page: pageIn(raw),
});
