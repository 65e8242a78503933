import { Fragment } from 'react';

/** An e-mail address that a narrow column breaks after its @ and its dots, not within a word. */
export const Address = ({ children }: { children: string }) =>
  children.split(/(?<=[@.])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
