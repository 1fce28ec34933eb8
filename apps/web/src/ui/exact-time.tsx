import { Tooltip } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';

interface Props {
  readonly at: string;
  /** Shown in the tooltip. */
  readonly details: string;
  readonly children: ReactNode;
}

/** A time with a tooltip: the one of the browser for a mouse, and one for touch screens, which is created on the first touch because lists have many times. */
export function ExactTime({ at, details, children }: Props) {
  const time = useRef<HTMLTimeElement>(null);
  const [isTouched, setTouched] = useState(false);
  return (
    <>
      <time
        ref={time}
        dateTime={at}
        title={details}
        onPointerEnter={({ pointerType }) => setTouched(pointerType !== 'mouse')}
        onPointerLeave={() => setTouched(false)}
      >
        {children}
      </time>
      {isTouched && <Tooltip target={time} label={details} opened />}
    </>
  );
}
