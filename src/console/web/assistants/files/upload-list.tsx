import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Progress } from '../../ui/progress.tsx';
import { formatBytes } from './file-labels.ts';
import { type FileUpload, isUploading, type UploadQueue } from './upload-queue.ts';

/** The uploads that are waiting, running or rejected. */
export function UploadList({
  uploads,
  queue,
}: {
  uploads: readonly FileUpload[];
  queue: UploadQueue;
}) {
  if (uploads.length === 0) return null;
  return (
    <ul className="assistants-uploads" aria-label="Uploads">
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} queue={queue} />
      ))}
    </ul>
  );
}

function UploadRow({ upload, queue }: { upload: FileUpload; queue: UploadQueue }) {
  const { id, name, size, state, fraction, fault, replaces } = upload;
  const isActive = isUploading(upload);
  return (
    <li className="assistants-upload">
      <div className="assistants-upload-details">
        <strong>{name}</strong> <span className="quiet">{formatBytes(size)}</span>
        {isActive && (
          <>
            <Progress value={fraction} label={`Upload of ${name}`} />
            <span className="hint">
              {state === 'waiting'
                ? 'Waiting'
                : fraction < 1
                  ? `${Math.floor(fraction * 100)} % sent`
                  : 'Saving'}
            </span>
          </>
        )}
        {fault && (
          <p className="hint fault" role="alert">
            {replaces !== undefined && 'The file was not replaced: '}
            {fault.message}
          </p>
        )}
      </div>
      <div className="row-actions">
        {state === 'rejected' && queue.canRetry(id) && (
          <Button onClick={() => queue.retry(id)}>
            Try again<span className="sr-only"> with {name}</span>
          </Button>
        )}
        <Button kind="quiet" onClick={() => queue.remove(id)}>
          <Icon name="close" />
          {isActive ? 'Cancel' : 'Dismiss'}
          <span className="sr-only"> {name}</span>
        </Button>
      </div>
    </li>
  );
}
