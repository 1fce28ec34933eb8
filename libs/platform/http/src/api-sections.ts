const sections = new Map<string, string>();

/** Defines the description of a tag (`@ApiTags`), which is a section of the API reference. */
export function defineApiSection(tag: string, description: string): void {
  sections.set(tag, description);
}

/** Returns the tags and descriptions that libraries defined, in alphabetical order. */
export const apiSections = (): [tag: string, description: string][] =>
  [...sections].toSorted(([one], [other]) => (one < other ? -1 : 1));
