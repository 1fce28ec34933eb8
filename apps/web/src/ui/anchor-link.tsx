import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Props = Omit<AnchorProps, keyof ComponentPropsWithRef<'a'>> & ComponentPropsWithRef<'a'>;

const PlainAnchor = (props: Props) => <Anchor {...props} />;

/** A link to another of these pages, without loading anything anew. */
export const AnchorLink = createLink(PlainAnchor);
