import { useEffect, useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { useViewer } from '../../session/session.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type AccessLevel, type FilePartsFragment, FilesDocument } from '../documents.ts';
import { mayEdit } from '../levels.ts';
import { DropZone } from './drop-zone.tsx';
import { FileTable } from './file-table.tsx';
import { isUnderWay } from './file-words.ts';
import './files.css';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './use-uploads.ts';

const refreshMs = 1_000;
const isReady = ({ processingStatus }: FilePartsFragment): boolean =>
  processingStatus === 'COMPLETED';

export function Files({ assistantId, level }: { assistantId: string; level: AccessLevel }) {
  const { features, organization } = useViewer();
  if (!features.includes('assistantFiles')) {
    return (
      <EmptyState title="Files are not switched on">
        {organization?.name ?? 'This organization'} has no files for its assistants yet. An
        administrator can have them switched on.
      </EmptyState>
    );
  }
  return <KnowledgeBase assistantId={assistantId} mayChange={mayEdit(level)} />;
}

function KnowledgeBase({ assistantId, mayChange }: { assistantId: string; mayChange: boolean }) {
  const [isProcessing, setProcessing] = useState(false);
  const answer = useGraphQuery(
    FilesDocument,
    { assistantId },
    { typenames: ['AssistantFile'], ...(isProcessing ? { refreshMs } : {}) },
  );
  const files = answer.data?.assistantFiles.files;
  useEffect(() => setProcessing(files?.some(isUnderWay) ?? false), [files]);
  const toast = useToast();
  const { queue, uploads } = useUploads(assistantId, (name) => {
    toast(`${name} is uploaded`);
    answer.refetch();
  });

  return (
    <>
      {mayChange ? (
        <DropZone onFiles={(chosen) => queue.add(chosen)} />
      ) : (
        <Notice>You may read these files. Who may change this assistant can add others.</Notice>
      )}
      <UploadList uploads={uploads} queue={queue} />
      <Loaded answer={answer} lines={5}>
        {({ assistantFiles }) => (
          <>
            <p className="sr-only" role="status">
              {assistantFiles.files.filter(isReady).length} of {assistantFiles.files.length} files
              are ready
            </p>
            {assistantFiles.files.length === 0 ? (
              <EmptyState title="No files yet">
                {mayChange
                  ? 'Add what this assistant shall know.'
                  : 'This assistant answers without any.'}
              </EmptyState>
            ) : (
              <FileTable
                assistantId={assistantId}
                files={assistantFiles.files}
                mayChange={mayChange}
                onReplace={(file, documentId) => queue.add([file], documentId)}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
