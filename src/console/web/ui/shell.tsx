import { Loading } from './status.tsx';

const icon = new URL('../icon.svg', import.meta.url).href;

/** What a page shows before it knows who is signed in. index.html begins with the same name. */
export const Shell = () => (
  <>
    <p className="shell">
      <img src={icon} alt="" width="28" height="28" />
      Atrium
    </p>
    <Loading />
  </>
);
