import { Avatar } from '@mantine/core';

interface Props {
  readonly name: string;
  /** The address of the picture at this service, or undefined for initials. */
  readonly src?: string;
  readonly size: number;
}

/** The colors of Mantine's initials have too little contrast. */
const PLACEHOLDER = { color: 'var(--mantine-color-text)', background: 'var(--mantine-color-default-hover)' };

/** Shows the picture of a person, or initials without a picture or while it can't be loaded. The name is written beside it. */
export function PersonAvatar({ name, src, size }: Props) {
  return <Avatar name={name} src={src} size={size} radius="xl" alt="" aria-hidden styles={{ placeholder: PLACEHOLDER }} />;
}
