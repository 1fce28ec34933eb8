const sections = new Map<string, string>();

/** Defines the description of a tag (`@ApiTags`). Each tag is a section of the API reference. */
export function defineApiSection(tag: string, description: string): void {
  sections.set(tag, description);
}

export const apiSections = (): [tag: string, description: string][] =>
  [...sections].toSorted(([one], [other]) => (one < other ? -1 : 1));
