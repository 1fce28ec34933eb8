import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** Returns the names of the values in a message, including plurals, choices and tags. */
export const placeholdersOf = (message: string): string[] => [...new Set(namesIn(parse(message)))].toSorted();

function namesIn(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    if (element.type === TYPE.tag) return namesIn(element.children);
    return [
      element.value,
      ...('options' in element ? Object.values(element.options).flatMap(({ value }) => namesIn(value)) : []),
    ];
  });
}
