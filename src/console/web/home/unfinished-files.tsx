import { Link } from 'wouter';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import type { HomeQuery } from './documents.ts';

type Unfinished = NonNullable<HomeQuery['unfinishedFiles']>;
type File = Unfinished['files'][number]['file'];

/** Files that can not be searched, or not yet. Where all are ready there is nothing to see. */
export function UnfinishedFiles({
  unfinished: { working, failed, files },
}: {
  unfinished: Unfinished;
}) {
  if (files.length === 0) return null;
  const more = working + failed - files.length;
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
      {more > 0 && <p className="quiet">and {more.toLocaleString()} more</p>}
    </Card>
  );
}

const stageWords: Record<NonNullable<File['processingStage']>, string> = {
  EXTRACTING: 'Reading',
  CHUNKING: 'Cutting into passages',
  EMBEDDING: 'Embedding',
  INDEXING: 'Indexing',
};

function FileState({ file: { processingStatus, processingStage } }: { file: File }) {
  if (processingStatus === 'FAILED') return <Badge tone="bad">Failed</Badge>;
  return (
    <Badge tone="busy">
      {processingStage
        ? stageWords[processingStage]
        : processingStatus === 'PENDING'
          ? 'Waiting'
          : 'At work'}
    </Badge>
  );
}
