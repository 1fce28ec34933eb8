const KEY = 'dismissed-checklists';

/** Oldest first. */
const MAX = 100;

function dismissed(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export const isChecklistDismissed = (organizationId: string): boolean => dismissed().includes(organizationId);

/** Remembers in this browser that the user does not need the checklist of an organization. */
export function dismissChecklist(organizationId: string): void {
  localStorage.setItem(KEY, JSON.stringify([...dismissed(), organizationId].slice(-MAX)));
}
