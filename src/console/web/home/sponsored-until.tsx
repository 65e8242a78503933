import { Notice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';

const dayMs = 86_400_000;
const warningDays = 30;

/**
 * Shows until when the workspace is sponsored, warns in its last month, and explains what happens
 * after the end.
 */
export function SponsoredUntil({ until }: { until: string }) {
  const leftMs = Date.parse(until) - Date.now();
  if (leftMs <= 0) {
    return (
      <Notice tone="bad">
        <p>
          <strong>
            The sponsorship ended on <Time at={until} />.
          </strong>{' '}
          Assistants no longer answer. All data are kept, and everything works again when your
          sponsor extends the sponsorship.
        </p>
      </Notice>
    );
  }
  if (leftMs <= warningDays * dayMs) {
    return (
      <Notice tone="busy">
        <p>
          <strong>
            The sponsorship ends <Time at={until} style="ago" />, on <Time at={until} />.
          </strong>{' '}
          After that, assistants no longer answer. Ask your sponsor to extend it.
        </p>
      </Notice>
    );
  }
  return (
    <Notice>
      Sponsored until <Time at={until} />.
    </Notice>
  );
}
