import { useGraphQuery } from '../../graph/use-graph.ts';
import { richText } from '../../texts/text.ts';
import { Time } from '../../ui/time.tsx';
import { AuditSealedDocument } from './documents.ts';

/** Up to which entry the log is sealed; nothing before the first checkpoint. */
export function SealedNote() {
  const { data } = useGraphQuery(AuditSealedDocument, {});
  const checkpoint = data?.latestAuditCheckpoint;
  if (!checkpoint) return null;
  return (
    <p className="quiet">
      {richText('audit.sealed', {
        size: checkpoint.size,
        time: () => <Time at={checkpoint.at} style="moment" />,
      })}
    </p>
  );
}
