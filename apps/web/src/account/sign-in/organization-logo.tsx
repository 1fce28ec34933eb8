import { type CSSProperties, useState } from 'react';
import type { Schema } from '../../api/client';
import type { BrandColors } from './brand-colors';
import classes from './organization-logo.module.css';

interface Props {
  readonly organization: Pick<Schema<'SignInPlaceResponse'>, 'id' | 'name' | 'branding'>;
}

/** The logo of an organization, or its initial in the brand color (`brandVariables`). */
export function OrganizationLogo({ organization: { id, name, branding } }: Props) {
  const [isBroken, setBroken] = useState(false);
  if (branding.hasLogo && !isBroken) {
    const source = `/v1/auth/branding/${encodeURIComponent(id)}/logo`;
    return <img className={classes.logo} src={source} alt={name} height={48} onError={() => setBroken(true)} />;
  }
  return (
    <div className={classes.initial} aria-hidden>
      {[...name][0]?.toUpperCase()}
    </div>
  );
}

/** The CSS variables of the brand colors for a part of a page. */
export const brandVariables = ({ fill, onFill, edge, accent }: BrandColors): CSSProperties =>
  ({
    '--brand-fill': fill,
    '--brand-on-fill': onFill,
    '--brand-edge': edge,
    '--mantine-primary-color-filled': accent,
    '--mantine-color-anchor': accent,
  }) as CSSProperties;
