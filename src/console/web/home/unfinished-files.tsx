import { Link } from 'wouter';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import type { HomeQuery } from './documents.ts';

type UnfinishedFilesData = NonNullable<HomeQuery['unfinishedFiles']>;
type UnfinishedFile = UnfinishedFilesData['files'][number]['file'];

/** Files that are still being processed or that failed. Hidden when all files are ready. */
export function UnfinishedFiles({
  unfinished: { working, failed, files },
}: {
  unfinished: UnfinishedFilesData;
}) {
  if (files.length === 0) return null;
  const hiddenCount = working + failed - files.length;
  return (
    <Card title="Files that are not ready">
      <ul className="home-list">
        {files.map(({ assistantName, file }) => (
          <li key={file.id}>
            <span className="home-name">
              <Link href={`/assistants/${file.assistantId}/files`}>{file.originalName}</Link>
              <span className="hint"> of {assistantName}</span>
              {file.processingError && (
                <span className="home-reason">{file.processingError.message}</span>
              )}
            </span>
            <FileState file={file} />
          </li>
        ))}
      </ul>
      {hiddenCount > 0 && <p className="quiet">and {hiddenCount.toLocaleString()} more</p>}
    </Card>
  );
}

const stageLabels: Record<NonNullable<UnfinishedFile['processingStage']>, string> = {
  EXTRACTING: 'Reading',
  CHUNKING: 'Splitting into passages',
  EMBEDDING: 'Embedding',
  INDEXING: 'Indexing',
};

function FileState({ file: { processingStatus, processingStage } }: { file: UnfinishedFile }) {
  if (processingStatus === 'FAILED') return <Badge tone="bad">Failed</Badge>;
  return (
    <Badge tone="busy">
      {processingStage
        ? stageLabels[processingStage]
        : processingStatus === 'PENDING'
          ? 'Waiting'
          : 'Processing'}
    </Badge>
  );
}
