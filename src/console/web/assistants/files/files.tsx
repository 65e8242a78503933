import { useEffect, useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { useViewer } from '../../session/session.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type AccessLevel, type AssistantFileFieldsFragment, FilesDocument } from '../documents.ts';
import { mayEdit } from '../levels.ts';
import { DropZone } from './drop-zone.tsx';
import { isProcessing } from './file-labels.ts';
import { FileTable } from './file-table.tsx';
import './files.css';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './use-uploads.ts';

const refreshMs = 1_000;
const isReady = ({ processingStatus }: AssistantFileFieldsFragment): boolean =>
  processingStatus === 'COMPLETED';

export function Files({ assistantId, level }: { assistantId: string; level: AccessLevel }) {
  const { features, organization } = useViewer();
  if (!features.includes('assistantFiles')) {
    return (
      <EmptyState title="Assistant files are not enabled">
        This feature is disabled for {organization?.name ?? 'this organization'}. An administrator
        can ask platform support to enable it.
      </EmptyState>
    );
  }
  return <KnowledgeBase assistantId={assistantId} canEdit={mayEdit(level)} />;
}

function KnowledgeBase({ assistantId, canEdit }: { assistantId: string; canEdit: boolean }) {
  const [hasProcessingFiles, setHasProcessingFiles] = useState(false);
  const answer = useGraphQuery(
    FilesDocument,
    { assistantId },
    { typenames: ['AssistantFile'], ...(hasProcessingFiles ? { refreshMs } : {}) },
  );
  const files = answer.data?.assistantFiles.files;
  useEffect(() => setHasProcessingFiles(files?.some(isProcessing) ?? false), [files]);
  const toast = useToast();
  const { queue, uploads } = useUploads(assistantId, (name) => {
    toast(`${name} is uploaded`);
    answer.refetch();
  });

  return (
    <>
      {canEdit ? (
        <DropZone onFiles={(chosen) => queue.add(chosen)} />
      ) : (
        <Notice>
          You can read these files. Only the owner and editors of this assistant can add files.
        </Notice>
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
                {canEdit
                  ? 'Add files that this assistant answers from.'
                  : 'This assistant answers without files.'}
              </EmptyState>
            ) : (
              <FileTable
                assistantId={assistantId}
                files={assistantFiles.files}
                canEdit={canEdit}
                onReplace={(file, documentId) => queue.add([file], documentId)}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
