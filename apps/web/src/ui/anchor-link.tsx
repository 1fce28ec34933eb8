import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Props = Omit<AnchorProps, keyof ComponentPropsWithRef<'a'>> & ComponentPropsWithRef<'a'>;

const PlainAnchor = (props: Props) => <Anchor {...props} />;

/** Links to a page of the router without a page load. */
export const AnchorLink = createLink(PlainAnchor);
